// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension RunLoopFixes {
  static let claims: [Claim] = [
    queued,
    Claim("N1-32", needs: ["connection/run", "connection/run-with-timer"], settle: runForever),
    Claim("N1-33", needs: ["connection/polling", "connection/saved-loop"], settle: polling),
    Claim("N1-34", needs: ["connection/saved-loop"]) { results, findings in
      let run = try results.first("connection/saved-loop")
      let finish = try run.instant(of: "finish")
      let delay = try? run.workerEnd().instant - finish
      findings.note(
        run.label,
        delay.map { "the thread was gone \(Words.milliseconds($0)) after the finish" } ?? "the thread never ended",
        "within \(Words.amount(100, "ms"))", delay.map { $0 < 0.1 } ?? false)
    },
    Claim("N1-35", needs: ["connection/saved-loop", "connection/wrong-loop"]) { results, findings in
      let saved = try results.first("connection/saved-loop")
      let (start, finish) = (saved.line("start")?.thread, saved.line("finish")?.thread)
      findings.note(
        saved.label,
        "start on \(start?.words ?? "no thread"), finish on \(finish?.words ?? "no thread")", "two threads",
        start != nil && finish != nil && start != finish)
      try findings.note(saved.worker(goesOn: true))
      try findings.note(results.first("connection/wrong-loop").worker(goesOn: false))
    },
    Claim("N5-10", needs: ["connection/main-loop"]) { results, findings in
      let run = try results.first("connection/main-loop")
      let starter = run.line("start")?.thread
      findings.note(
        run.label, "started on \(starter?.words ?? "no thread")", "not main", starter?.main == false)
      findings.notePlaces(of: run, onMain: true)
    },
  ]

  private static let onQueues = ["connection/run", "connection/polling", "connection/saved-loop"]

  /// Several programs, each with a delegate queue.
  private static let queued = Claim("N1-15", needs: onQueues) { results, findings in
    for run in try onQueues.map({ try results.first($0) }) {
      let creator = run.line("start")?.thread
      findings.note(
        run.label, "created on \(creator?.words ?? "no thread"), callbacks on \(run.threads)",
        "never on the creating thread",
        creator != nil && !run.places.isEmpty && !run.places.contains { $0 == creator })
    }
  }

  /// The note's own form decides; the form with a timer is the condition.
  @Sendable private static func runForever(_ results: RunResults) throws -> Settlement {
    let (own, timer) = try (results.first("connection/run"), results.first("connection/run-with-timer"))
    let ends = own.line("the worker goes on") != nil
    var findings = [own, timer].map { run in
      Finding(
        what: run.label, measured: .count(run.callbacks, "callback"), bound: "more than 0",
        holds: run.callbacks > 0)
    }
    findings.append(try own.worker(goesOn: ends))
    findings.append(try timer.worker(goesOn: false))
    guard findings.allSatisfy(\.holds) else { return Settlement(.refuted, findings: findings) }
    return Settlement(ends ? .qualified : .confirmed, findings: findings, explanation: ends ? runEnds : .empty)
  }

  /// It works, it wakes the thread for nothing; what it costs in processor time is a question of its own.
  @Sendable private static func polling(_ results: RunResults) throws -> Settlement {
    let (polling, stopped) = try (results.first("connection/polling"), results.first("connection/saved-loop"))
    let (often, once) = try (polling.workerEnd(), stopped.workerEnd())
    let name = polling.label
    let share = try often.cpu / max(0.001, polling.instant(of: "finish"))
    let works = try polling.worker(goesOn: true)
    let wakes = Finding(
      what: name, measured: "the worker was woken \(often.wakeups) times, with CFRunLoopRun \(once.wakeups) times",
      bound: "at least 15 wake-ups more", holds: often.wakeups >= once.wakeups + 15)
    let costs = Finding(
      what: name,
      measured: "the worker used \(Words.milliseconds(often.cpu)), \(thousandths(share)) thousandths of a processor",
      bound: "less than 10 thousandths", holds: share < 0.01)
    let verdict: Verdict = works.holds && wakes.holds ? (costs.holds ? .qualified : .confirmed) : .refuted
    return Settlement(verdict, findings: [works, wakes, costs], explanation: pollingCosts)
  }

  private static func thousandths(_ share: Double) -> String {
    let tenths = Int((share * 10_000).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static let runEnds: Phrase =
    "The callbacks come. `run()` ends by itself once nothing is left in the loop, which the connection leaves at its "
    + "end. With a timer, port or source of anything else in the loop it never ends; Apple's documentation does not "
    + "promise that it ends."
  private static let pollingCosts: Phrase =
    "It works, and wakes the thread again and again for nothing. The processor time stays small all the same; the "
    + "cost is the wake-ups themselves, which keep a processor on battery out of its power-saving states."
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

  /// A second after the finish the worker has gone on, or has not.
  fileprivate func worker(goesOn: Bool) throws -> Finding {
    let finish = try instant(of: "finish")
    let goes = line("the worker goes on").map { $0.instant - finish }
    return Finding(
      what: label,
      measured: goes.map { "the worker goes on \(Words.milliseconds($0)) after the finish" }
        ?? "the worker still waits a second after the finish",
      bound: goesOn ? "it goes on" : "it still waits", holds: (goes != nil) == goesOn)
  }
}

extension Findings {
  fileprivate mutating func note(_ finding: Finding) {
    note(finding.what, finding.measured, finding.bound, finding.holds)
  }
}
