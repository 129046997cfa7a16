// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 8.
enum WritingByStream {
  static let lesson: Lesson = .make(
    8, "output-stream", "Writing piece by piece: the output stream", minutes: 12,
    connection: [
      .connection("stream", "opened before, closed after", "StreamToFile", run: StreamToFile.run),
      .connection(
        "stream-eightfold", "the same program, a body eight times as large", "StreamToFile", loads: .body(times: 8),
        run: StreamToFile.run),
      .connection(
        "never-opened", "a stream that nobody opens (defective)", "StreamToFile", loads: .body(divisor: 64),
        run: StreamToFile.neverOpened),
      .connection(
        "short-writes", "a stream that takes less than offered (defective)", "ShortWrites", loads: .body(divisor: 16),
        run: ShortWrites.ignored),
      .connection(
        "short-writes-continued", "the rest is offered again", "ShortWrites", loads: .body(divisor: 16),
        run: ShortWrites.continued),
    ],
    session: [
      .session("moved", "download task, the file is moved", "DownloadMoved", run: DownloadMoved.run),
      .session(
        "moved-eightfold", "the same program, a body eight times as large", "DownloadMoved", loads: .body(times: 8),
        run: DownloadMoved.run),
      .session(
        "forgotten", "download task, the file is left where it is (defective)", "DownloadForgotten",
        loads: .body(divisor: 64), run: DownloadForgotten.run),
    ],
    claims: [
      Claim(
        "N1-23",
        needs: [
          "connection/stream", "connection/stream-eightfold", "connection/never-opened", "connection/short-writes",
          "connection/short-writes-continued",
        ], leastBody: 8 << 20, check: checkStream),
      Claim("N3-17", needs: ["session/moved"]) { results, findings in
        findings.noteProgress(of: try results.first("session/moved"), size: results.bodyBytes)
      },
      Claim("N3-19", needs: ["session/moved", "session/forgotten"]) { results, findings in
        let forgotten = try results.first("session/forgotten")
        // The end of a task is announced whether the delegate has a method for it or not.
        let names = Set(forgotten.recording.callbacks.map(\.name)).subtracting([CallbackName.complete])
        findings.note(
          "\(names.count) method in the delegate", "didFinishDownloadingTo alone", names == [CallbackName.file])
        for (moment, state) in [("in the method: ", "there"), ("half a second later: ", "gone")] {
          let line = forgotten.line(moment)?.text ?? "nothing printed"
          findings.note(line, state, line.hasSuffix(state))
        }
        findings.noteFile(of: try results.first("session/moved"))
      },
      Claim("N3-21", needs: ["session/moved", "session/moved-eightfold"], leastBody: 8 << 20) { results, findings in
        for name in ["session/moved", "session/moved-eightfold"] { findings.noteFlat(try results.first(name)) }
      },
    ])

  @Sendable private static func checkStream(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try ["connection/stream", "connection/stream-eightfold"].map({ try results.first($0) }) {
      findings.noteFlat(run)
      findings.noteFile(of: run)
    }
    let closed = try results.first("connection/never-opened")
    findings.noteFile(of: closed, count: 0)
    let status = closed.line("stream ")?.text ?? "nothing printed"
    findings.note("its status: \(status)", "stream not open", status == "stream not open")
    let short = try results.first("connection/short-writes")
    let written = short.files.first?.bytes ?? 0
    findings.note(
      "short writes ignored: \(written) of \(short.result.outcome.bytes) bytes", "fewer than came",
      written < short.result.outcome.bytes)
    findings.noteFile(of: try results.first("connection/short-writes-continued"))
  }
}
