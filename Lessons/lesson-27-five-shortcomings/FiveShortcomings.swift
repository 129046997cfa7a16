// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 27: the programs of the lessons before, looked at together.
enum FiveShortcomings {
  static let lesson: Lesson = .make(
    27, "five-shortcomings", "Five shortcomings, gathered", minutes: 12,
    connection: [
      .borrow("connection/dispatch-block", of: NoRunLoop.lesson, as: "in-a-block"),
      .borrow("connection/default-mode", of: RunLoopModes.lesson, as: "touched"),
      .borrow("connection/mended", of: NetworkThreadLesson.lesson, as: "own-thread"),
      .borrow("connection/delegate-main", of: DelegateProgress.lesson, as: "delegate"),
      .borrow("connection/one-write", of: MemoryPeak.lesson, as: "handler"),
      .borrow("connection/released", of: Accumulate.lesson, as: "collected"),
      .borrow("connection/one-handle", of: WritingByHandle.lesson, as: "piece-by-piece"),
      .borrow("connection/start-cancel", of: SuspendResumeCancel.lesson, as: "start-cancel"),
    ],
    session: [
      .borrow("session/dispatch-block", of: NoRunLoop.lesson, as: "in-a-block"),
      .borrow("session/queue-main", of: RunLoopModes.lesson, as: "touched"),
      .borrow("session/shared-manager", of: NetworkThreadLesson.lesson, as: "no-thread"),
      .borrow("session/data-delegate", of: DelegateProgress.lesson, as: "data-delegate"),
      .borrow("session/one-write", of: MemoryPeak.lesson, as: "handler"),
      .borrow("session/moved", of: WritingByStream.lesson, as: "download"),
      .borrow("session/resumed", of: SuspendResumeCancel.lesson, as: "resumed"),
    ],
    claims: [
      Claim(
        "N3-22", needs: ["connection/in-a-block", "session/in-a-block", "connection/touched", "session/touched"],
        because:
          "A connection depends on the loop of the thread that starts it and on that loop's mode; a session depends "
          + "on neither."
      ) { results, findings in
        try findings.noteDependence(results)
      },
      Claim("N4-02", needs: ["connection/delegate", "session/data-delegate", "session/download"]) { results, findings in
        let one = try results.first("connection/delegate").protocols
        findings.note("a connection: \(one.joined(separator: ", "))", "one protocol for all", one == ["connection"])
        let data = try results.first("session/data-delegate").protocols
        let download = try results.first("session/download").protocols
        findings.note(
          "a session: \(data.joined(separator: ", ")) and \(download.joined(separator: ", "))",
          "one for each kind of task",
          data.contains("dataTask") && download.contains("downloadTask") && !data.contains("downloadTask")
            && !download.contains("dataTask"))
      },
      Claim(
        "N4-10",
        needs: [
          "connection/in-a-block", "session/in-a-block", "connection/touched", "session/touched", "connection/delegate",
          "session/data-delegate", "session/download", "connection/start-cancel", "session/resumed",
        ], check: checkFive),
      Claim(
        "N5-12", .qualified,
        needs: [
          "connection/handler", "connection/collected", "connection/piece-by-piece", "session/handler",
          "session/download",
        ],
        leastBody: 8 << 20,
        because:
          "Asynchronous alone saves nothing. Only what is written piece by piece, or by a download task, stays flat."
      ) { results, findings in
        for name in ["connection/handler", "connection/collected", "session/handler"] {
          findings.noteGrowth(of: try results.first(name), body: results.bodyBytes, in: 0.95...1.3)
        }
        for name in ["connection/piece-by-piece", "session/download"] { findings.noteFlat(try results.first(name)) }
      },
      Claim(
        "N5-14", needs: ["connection/handler", "connection/delegate", "session/handler", "session/download"],
        leastBody: 1 << 20
      ) { results, findings in
        for name in ["connection/handler", "session/handler"] {
          let count = try results.first(name).callbacks
          findings.note("\(name): \(count) callback", "1", count == 1)
        }
        let pieces = try results.first("connection/delegate").recording.count(CallbackName.receive, "data")
        let reports = try results.first("session/download").recording.count(CallbackName.write)
        findings.note("delegates: \(pieces) pieces, \(reports) reports", "2 at least", pieces >= 2 && reports >= 2)
      },
    ])

  @Sendable private static func checkFive(_ results: RunResults, _ findings: inout Findings) throws {
    try findings.noteDependence(results)
    let one = try results.first("connection/delegate").protocols.count
    let download = try results.first("session/download")
    findings.note("2: \(one) protocol for all kinds of load", "1", one == 1)
    let byHand = try results.first("connection/delegate").recording.loads.first?.progress?.count ?? 0
    let given = download.recording.loads.first?.progress?.count ?? 0
    findings.note(
      "3: \(byHand) reports of progress, \(given) from a download task", "0; 1 at least", byHand == 0 && given > 0)
    let files = try results.first("connection/delegate").recording.loads.first?.files ?? 0
    let handed = download.recording.loads.first?.files ?? 0
    findings.note("4: \(files) files, \(handed) from a download task", "0; 1", files == 0 && handed == 1)
    let states = try results.first("session/resumed").recording.lines.count { $0.text.contains("suspended,") }
    let cancel = try results.first("connection/start-cancel")
    findings.note(
      "5: start and cancel; a task was seen suspended \(states) times", "no other order; 2 at least",
      cancel.line("cancelled") != nil && states >= 2)
  }
}

extension ExampleRun {
  /// Which protocols its delegate methods belong to, by their first or second label.
  fileprivate var protocols: [String] {
    let names = recording.callbacks.map { callback in
      ["dataTask", "downloadTask", "task"].first { callback.name.contains("_:\($0):") } ?? "connection"
    }
    return Set(names).sorted()
  }
}

extension Findings {
  /// Started in a block, and touched on the screen: the connection waits, the session does not.
  fileprivate mutating func noteDependence(_ results: RunResults) throws {
    for (name, depends) in [("connection/in-a-block", true), ("session/in-a-block", false)] {
      let run = try results.first(name)
      note("1: \(name): \(run.callbacks) callbacks", depends ? "0" : "1 at least", (run.callbacks == 0) == depends)
    }
    for (name, depends) in [("connection/touched", true), ("session/touched", false)] {
      let count = try results.first(name).touch().callbacks
      note("\(name): \(count) callbacks during a touch", depends ? "0" : "1 at least", (count == 0) == depends)
    }
  }
}
