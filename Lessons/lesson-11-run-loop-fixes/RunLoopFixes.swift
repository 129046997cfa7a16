// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 11.
enum RunLoopFixes {
  /// The server waits two seconds, so that waiting can be compared.
  private static let late = Example.Resource.body(divisor: 64, after: .seconds(2))

  static let lesson: Lesson = .make(
    11, "run-loop-fixes", "Keeping a run loop alive, and ending it", minutes: 15,
    connection: [
      .connection(
        "run", "run() on the worker; nothing else in its loop", "WorkerLoop", loads: late, run: WorkerLoop.forever),
      .connection(
        "run-with-timer", "run() on the worker, with a timer in its loop (defective)", "WorkerLoop", loads: late,
        run: WorkerLoop.foreverWithTimer),
      .connection(
        "polling", "the loop runs a tenth of a second at a time", "WorkerLoop", loads: late, run: WorkerLoop.polling),
      .connection(
        "saved-loop", "CFRunLoopRun, stopped by CFRunLoopStop on the saved loop", "StoppedLoop", loads: late,
        run: StoppedLoop.saved),
      .connection(
        "wrong-loop", "CFRunLoopStop on the current loop (defective)", "StoppedLoop", loads: late,
        run: StoppedLoop.wrong),
      .connection(
        "main-loop", "from the worker, scheduled on the main loop", "MainLoopFromWorker", loads: late,
        run: MainLoopFromWorker.run),
    ],
    session: [
      .session("no-loop", "the same job with a task", "TaskWithoutLoop", loads: late, run: TaskWithoutLoop.run)
    ],
    claims: claims)

  private static let claims: [Claim] = [
    Claim("N1-15", needs: ["connection/saved-loop"]) { results, findings in
      let run = try results.first("connection/saved-loop")
      let creator = run.line("start")?.thread
      findings.note(
        "created on \(creator?.words ?? "no thread"), callbacks on \(run.threads)", "never on the creating thread",
        creator != nil && !run.places.isEmpty && !run.places.contains { $0 == creator })
      findings.note("\(run.recording.overlaps) at the same time", "one at a time", run.recording.overlaps == 0)
    },
    Claim("N1-32", .qualified, needs: ["connection/run", "connection/run-with-timer"], because: runEnds) {
      results, findings in
      try findings.noteWorker(of: results.first("connection/run-with-timer"), goesOn: false)
      try findings.noteWorker(of: results.first("connection/run"), goesOn: true)
    },
    Claim("N1-33", .qualified, needs: ["connection/polling", "connection/saved-loop"], because: pollingCosts) {
      results, findings in
      let (polling, stopped) = try (results.first("connection/polling"), results.first("connection/saved-loop"))
      try findings.noteWorker(of: polling, goesOn: true)
      let ends = try [polling, stopped].map { try $0.workerEnd() }
      for (run, end) in zip([polling, stopped], ends) {
        findings.note(
          "\(run.name): the worker was woken \(end.wakeups) times and used \(Words.milliseconds(end.cpu)) of processor "
            + "time", "", true)
      }
      findings.note("", "woken at least 5 times as often", ends[0].wakeups >= 5 * max(1, ends[1].wakeups))
    },
    Claim("N1-34", needs: ["connection/saved-loop"]) { results, findings in
      let run = try results.first("connection/saved-loop")
      let finish = try run.instant(of: "finish")
      let delay = try? run.workerEnd().instant - finish
      findings.note(
        "the thread was gone \(delay.map(Words.milliseconds) ?? "never") after the finish", "within 100 ms",
        delay.map { $0 < 0.1 } ?? false)
    },
    Claim("N1-35", needs: ["connection/saved-loop", "connection/wrong-loop"]) { results, findings in
      let saved = try results.first("connection/saved-loop")
      let (start, finish) = (saved.line("start")?.thread, saved.line("finish")?.thread)
      findings.note(
        "start on \(start?.words ?? "no thread"), finish on \(finish?.words ?? "no thread")", "two threads",
        start != nil && finish != nil && start != finish)
      try findings.noteWorker(of: saved, goesOn: true)
      try findings.noteWorker(of: results.first("connection/wrong-loop"), goesOn: false)
    },
    Claim("N5-10", needs: ["connection/main-loop"]) { results, findings in
      let run = try results.first("connection/main-loop")
      findings.note(
        "started on \(run.line("start")?.thread.words ?? "no thread")", "not main",
        run.line("start")?.thread.main == false)
      findings.notePlaces(of: run, onMain: true)
    },
  ]

  private static let runEnds =
    "`run()` ends by itself once nothing is left in the loop, which the connection leaves at "
    + "its end. One timer, port or source of anybody's is enough to keep it for ever; Apple's documentation promises no more than that."
  private static let pollingCosts =
    "It works, and wakes the thread again and again for nothing. The processor time stays "
    + "small all the same; what it costs is a processor that never sleeps."
}

extension ExampleRun {
  /// What the worker had done when it ended.
  ///
  /// - Throws: `LessonKitError` when it never did.
  func workerEnd() throws(LessonKitError) -> ThreadEnd {
    guard let end = line("start").flatMap({ recording.threadEnds[$0.thread.id] }) else {
      throw LessonKitError(.notMeasured, "the worker of \(result.id) never ended")
    }
    return end
  }
}

extension Findings {
  /// A second after the finish the worker has gone on, or has not.
  fileprivate mutating func noteWorker(of run: ExampleRun, goesOn: Bool) throws {
    let finish = try run.instant(of: "finish")
    let goes = run.line("the worker goes on").map { $0.instant - finish }
    let words = goes.map { "goes on after \(Words.milliseconds($0))" } ?? "still waits after a second"
    note(
      "\(run.name): the worker \(words)", goesOn ? "goes on" : "still waits", ((try? run.workerEnd()) != nil) == goesOn)
  }
}
