// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 10.
enum NoRunLoop {
  private static let small = Example.Resource.body(divisor: 64)
  private static let hanging = ["connection/dispatch-block", "connection/operation"]

  static let lesson: Lesson = .make(
    10, "no-run-loop", "No run loop", minutes: 12,
    connection: [
      .connection(
        "dispatch-block", "started in a block on a global queue (defective)", "StartedElsewhere", loads: small,
        endsAs: .timedOut, run: StartedElsewhere.inBlock
      ).has(.queueAfterStart, .noRunLoop).limited(to: .seconds(3)),
      .connection(
        "operation", "started in an operation (defective)", "StartedElsewhere", loads: small, endsAs: .timedOut,
        run: StartedElsewhere.inOperation
      ).has(.queueAfterStart, .noRunLoop).limited(to: .seconds(3)),
      .connection(
        "queue", "in a block, with a queue before the start", "DeliveredElsewhere", loads: small,
        run: DeliveredElsewhere.onQueue),
      .connection(
        "main-loop", "in a block, scheduled on the main loop", "DeliveredElsewhere", loads: small,
        run: DeliveredElsewhere.onMainLoop),
      .connection(
        "worker-runs", "in a block that runs its thread's loop", "LoopRunByProgram", loads: small,
        run: LoopRunByProgram.onWorker),
      .connection(
        "main-sleeps", "on main, whose loop runs half a second later", "LoopRunByProgram", loads: small,
        run: LoopRunByProgram.onMain
      ).has(.lateOnMain),
    ].besideOthers(),
    session: [
      .session(
        "dispatch-block", "data task from a block", "TaskElsewhere", loads: small, run: TaskElsewhere.inBlock),
      .session(
        "operation", "data task from an operation", "TaskElsewhere", loads: small, run: TaskElsewhere.inOperation),
    ].besideOthers(),
    claims: [starved, loops, onBoth, onMain],
    pairs: [
      .pair("dispatch-block", "dispatch-block"),
      .pair("operation", "operation"),
    ],
    shows: [.callbacks, .requests, .printed],
    about: .of("callbacks in all", .callbackCount, wrong: "connection/dispatch-block", right: "connection/queue"),
    predict: Prediction(
      "A block on a global queue starts a connection, then sets a delegate queue. What comes within two seconds?",
      answers: [
        "callbacks on the delegate queue", "callbacks on the block's thread", "a failure: no run loop",
        "nothing at all",
      ], right: 4, shownBy: "N1-30"))

  private static let starved = Claim(
    "N1-30", .qualified, needs: ["connection/dispatch-block", "connection/queue"],
    because:
      "It holds for a connection that starts in its initializer: it stays on the loop of the block's thread, "
      + "and a queue set afterwards is fed by that loop. Given its queue before the start it needs no loop."
  ) { results, findings in
    findings.noteSilence(of: try results.first("connection/dispatch-block"))
    findings.noteWhole(try results.first("connection/queue"))
  }

  private static let loops = Claim(
    "N1-31", .qualified,
    needs: ["connection/dispatch-block", "connection/worker-runs", "connection/main-sleeps"],
    because: "On Apple's systems the application's main function runs main's loop. Linux has no such function: here "
      + "no loop runs, main's neither, unless the program runs it."
  ) { results, findings in
    let block = try results.first("connection/dispatch-block")
    let start = block.line("start")
    let name = block.label
    findings.note(
      name, start.map { "the block ran on \($0.thread.words)" } ?? "nothing printed", "not main",
      start?.thread.main == false)
    findings.note(
      name, start?.runLoopMode.map { "its loop runs in mode \($0)" } ?? "its loop does not run", "it does not run",
      start != nil && start?.runLoopMode == nil && block.callbacks == 0)
    findings.noteOwnLoop(of: try results.first("connection/worker-runs"))
    let main = try results.first("connection/main-sleeps")
    let said = main.line("before the loop runs: ")?.text
    findings.note(
      main.label,
      said.map { "“\($0)”; afterwards \(Phrase.count(main.callbacks, "callback"))" } ?? "nothing printed",
      "0 before, more than 0 afterwards", said == "before the loop runs: 0 callbacks" && main.callbacks > 0)
  }

  private static let onBoth = Claim(
    "N5-09", .qualified, needs: hanging + ["connection/worker-runs"],
    because:
      "Each of these threads has a run loop as soon as code asks for it. What it lacks is code that runs it: where the "
      + "block does, the callbacks come."
  ) { results, findings in
    for run in try hanging.map({ try results.first($0) }) { findings.noteSilence(of: run) }
    findings.noteOwnLoop(of: try results.first("connection/worker-runs"))
  }

  private static let onMain = Claim("N5-10", needs: ["connection/main-loop"]) { results, findings in
    let run = try results.first("connection/main-loop")
    let starter = run.line("start")?.thread
    findings.note(
      run.label, "started on \(starter?.words ?? "no thread")", "not main", starter?.main == false)
    findings.notePlaces(of: run, onMain: true)
    findings.noteWhole(run)
  }
}

extension Findings {
  /// No callback came in the time the example was given, no request was sent, and the diagnosis says where it waits.
  fileprivate mutating func noteSilence(of run: ExampleRun) {
    let (name, wall) = (run.label, run.result.time.wall)
    note(
      name, "\(run.callbacks) callbacks in \(Words.seconds(wall))", "0 in \(Words.amount(2, "s"))",
      run.callbacks == 0 && wall >= 2)
    note(name, .count(run.requests.count, "request at the server", "requests at the server"), "0", run.requests.isEmpty)
    note(
      name, run.result.outcome.why, "it waits for a loop that does not run",
      run.result.outcome.kind == .timedOut && run.recording.waitingAt?.hasPrefix("thread") == true)
  }

  /// The callbacks came on the block's own thread, whose loop the block ran.
  fileprivate mutating func noteOwnLoop(of run: ExampleRun) {
    let own = run.line("start")?.thread
    note(
      run.label, "\(run.callbacks) callbacks on \(run.threads)", "more than 0, on the block's thread",
      own?.main == false && run.places == [own].compactMap { $0 })
  }

  /// Callbacks came, and with them the body.
  fileprivate mutating func noteWhole(_ run: ExampleRun) {
    note(run.label, .count(run.callbacks, "callback"), "more than 0", run.callbacks > 0)
    noteBody(of: run)
  }
}
