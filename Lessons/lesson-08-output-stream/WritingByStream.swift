// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 8.
enum WritingByStream {
  static let lesson: Lesson = .make(
    8, "output-stream", "Writing piece by piece: the output stream", minutes: 12,
    connection: [
      stream("stream", "opened before, closed after", "StreamToFile", StreamToFile.run),
      stream(
        "stream-eightfold", "the same program, a body eight times as large", "StreamToFile", loads: .body(times: 8),
        StreamToFile.run),
      stream(
        "never-opened", "a stream that nobody opens (defective)", "NeverOpened", loads: .body(divisor: 64),
        NeverOpened.run),
      stream(
        "short-writes", "a stream that takes less than offered (defective)", "ShortWrites", loads: .body(divisor: 16),
        ShortWrites.run),
      stream(
        "short-writes-continued", "the rest is offered again", "StreamToFile", loads: .body(divisor: 16),
        StreamToFile.shortWrites),
    ],
    session: [
      .session("moved", "download task, the file is moved", "DownloadMoved", run: DownloadMoved.run)
        .makes(.file("download")),
      .session(
        "moved-eightfold", "the same program, a body eight times as large", "DownloadMoved", loads: .body(times: 8),
        run: DownloadMoved.run
      ).makes(.file("download")),
      .session(
        "forgotten", "download task, the file is left where it is (defective)", "DownloadForgotten",
        loads: .body(divisor: 64), run: DownloadForgotten.run
      ).has(.fileLeft).besideOthers().makes(.line("half a second later: there")),
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
      Claim("N3-19", needs: ["session/moved", "session/forgotten"], check: checkTemporaryFile),
      Claim("N3-21", needs: ["session/moved", "session/moved-eightfold"], leastBody: 8 << 20) { results, findings in
        for name in ["session/moved", "session/moved-eightfold"] { findings.noteFlat(try results.first(name)) }
      },
    ],
    pairs: [.pair("stream", "moved"), .pair("stream-eightfold", "moved-eightfold")],
    shows: [.memory, .printed],
    about: .of("file", .product, wrong: "connection/short-writes", right: "connection/short-writes-continued"),
    predict: Prediction(
      "A stream takes at most 16 KiB at a time, and the program does not look at what `write` answers. What is in the "
        + "file when the load has finished?",
      answers: [
        "the whole body", "the first 16 KiB of each piece", "nothing", "the whole body, but it took longer to write",
      ],
      right: 2, shownBy: "N1-23"))

  private static func stream(
    _ name: String, _ title: String, _ file: String, loads resource: Example.Resource = .body(),
    _ run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Example {
    .connection(name, title, file, loads: resource, run: run).makes(.file("download"))
  }

  @Sendable private static func checkStream(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try ["connection/stream", "connection/stream-eightfold"].map({ try results.first($0) }) {
      findings.noteFlat(run)
      findings.noteFile(of: run)
    }
    let closed = try results.first("connection/never-opened")
    let line = closed.line("the stream is ")?.text
    findings.note(
      closed.label, line.map(Phrase.quoted) ?? "nothing printed",
      .quoted("the stream is not open"), line == "the stream is not open")
    findings.noteFile(of: closed, count: 0)
    let short = try results.first("connection/short-writes")
    let (written, sent) = (short.files.first?.bytes ?? 0, short.result.outcome.bytes)
    let most = try short.load().pieces * (16 << 10)
    findings.note(
      short.label,
      "\(Words.size(written, isExact: true)) of \(Words.size(sent, isExact: true)), in \(Phrase.count(try short.load().pieces, "piece"))",
      "at most \(Words.amount(16, "KiB")) of each piece", written > 0 && written < sent && written <= most)
    findings.noteFile(of: try results.first("connection/short-writes-continued"))
  }

  @Sendable private static func checkTemporaryFile(_ results: RunResults, _ findings: inout Findings) throws {
    let forgotten = try results.first("session/forgotten")
    let names = Set(forgotten.recording.callbacks.filter(\.implemented).map(\.name))
    findings.note(
      forgotten.label, "\(Phrase.count(names.count, "method")) called",
      "didFinishDownloadingTo alone", names == [CallbackName.file])
    for (moment, state) in [("in the method: ", "there"), ("half a second later: ", "gone")] {
      let line = forgotten.line(moment)?.text
      findings.note(
        forgotten.label, line.map(Phrase.quoted) ?? "nothing printed",
        .quoted(moment + state), line == moment + state)
    }
    findings.noteFile(of: try results.first("session/moved"))
  }
}
