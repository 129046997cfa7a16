// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 4.
enum MemoryPeak {
  private static let downloads = ["session/download", "session/download-eightfold"]

  static let lesson: Lesson = .make(
    4, "memory-peak", "The memory peak", minutes: 10,
    connection: [
      .connection(
        "one-write", "the whole body, then one write (defective, as N1 writes it)", "OneWrite", run: OneWrite.run
      ).has(.wholeBodyInMemory)
        .makes(.file("download"))
    ],
    session: [
      .session("one-write", "data task with handler, then one write", "HandlerOneWrite", run: HandlerOneWrite.run).has(
        .wholeBodyInMemory
      )
      .makes(.file("download")),
      .session("download", "download task", "DownloadToFile", run: DownloadToFile.run).makes(.file("download")),
      .session(
        "download-eightfold", "the same program, a body eight times as large", "DownloadToFile", loads: .body(times: 8),
        run: DownloadToFile.run
      ).makes(.file("download")),
    ],
    claims: [
      Claim("N1-08", needs: ["connection/one-write"], check: checkNoProgress),
      Claim("N1-09", needs: ["connection/one-write"], leastBody: 8 << 20) { results, findings in
        let run = try results.first("connection/one-write")
        findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95...1.25)
        findings.noteFile(of: run)
      },
      Claim("N3-21", needs: downloads, leastBody: 8 << 20) { results, findings in
        for run in try downloads.map({ try results.first($0) }) {
          findings.noteFlat(run)
          findings.noteFile(of: run)
        }
      },
    ],
    pairs: [.pair("one-write", "one-write")],
    shows: [.timeline, .memory],
    about: .of("memory peak", .peak, wrong: "connection/one-write", right: "session/download"),
    predict: Prediction(
      "A download task loads a body, then one eight times as large. How does the growth of its memory change?",
      answers: ["it is about eight times as large", "it is about twice as large", "it hardly changes"], right: 3,
      shownBy: "N3-21"))

  @Sendable private static func checkNoProgress(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/one-write")
    let handler = run.recording.count(CallbackName.handler)
    findings.note(
      run.label, .count(handler, "call of the handler", "calls of the handler"), "1", handler == 1)
    findings.note(
      run.label, .count(run.callbacks - handler, "other callback"), "0", run.callbacks == handler)
    findings.noteBody(of: run)
  }
}
