// SPDX-License-Identifier: Apache-2.0
import LessonKit

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
      ).limited(to: .seconds(3)),
      .connection(
        "operation", "started in an operation (defective)", "StartedElsewhere", loads: small, endsAs: .timedOut,
        run: StartedElsewhere.inOperation
      ).limited(to: .seconds(3)),
      .connection(
        "queue", "in a block, with a queue before the start", "DeliveredElsewhere", loads: small,
        run: DeliveredElsewhere.onQueue),
      .connection(
        "main-loop", "in a block, scheduled on the main loop", "DeliveredElsewhere", loads: small,
        run: DeliveredElsewhere.onMainLoop),
    ],
    session: [
      .session(
        "dispatch-block", "data task from a block", "TaskElsewhere", loads: small, run: TaskElsewhere.inBlock),
      .session(
        "operation", "data task from an operation", "TaskElsewhere", loads: small, run: TaskElsewhere.inOperation),
    ],
    claims: [
      Claim(
        "N1-30", .qualified, needs: ["connection/dispatch-block", "connection/queue"],
        because:
          "It holds for a connection that starts in its initializer: it stays on the loop of the block's thread, "
          + "and a queue set afterwards is fed by that loop. Given its queue before the start it needs no loop."
      ) { results, findings in
        findings.noteSilence(of: try results.first("connection/dispatch-block"))
        findings.noteWhole(try results.first("connection/queue"))
      },
      Claim("N1-31", needs: ["connection/dispatch-block", "connection/main-loop"]) { results, findings in
        let block = try results.first("connection/dispatch-block").line("start")
        findings.note(
          "in the block: \(block?.thread.words ?? "nothing printed"), its loop \(block?.runLoopMode ?? "not running")",
          "not running", block?.thread.main == false && block?.runLoopMode == nil)
        let main = try results.first("connection/main-loop").recording.places.first
        findings.note(
          "on main: its loop in \(main?.runLoopMode ?? "no mode")", "in a mode",
          main?.thread.main == true && main?.runLoopMode != nil)
      },
      Claim("N5-09", needs: hanging) { results, findings in
        for run in try hanging.map({ try results.first($0) }) { findings.noteSilence(of: run) }
      },
      Claim("N5-10", needs: ["connection/main-loop"]) { results, findings in
        let run = try results.first("connection/main-loop")
        let starter = run.line("start")?.thread
        findings.note("started on \(starter?.words ?? "no thread")", "not main", starter?.main == false)
        findings.notePlaces(of: run, onMain: true)
        findings.noteWhole(run)
      },
    ])
}

extension Findings {
  /// No callback came in the time the example was given, and the diagnosis says where it waits.
  fileprivate mutating func noteSilence(of run: ExampleRun) {
    let requests = run.result.traffic.requests
    note(
      "\(run.name): \(run.callbacks) callbacks in \(Words.seconds(run.result.time.wall)), \(requests) requests at the "
        + "server, \(run.result.outcome.why)", "0 in 2 s", run.callbacks == 0 && run.result.time.wall >= 2)
  }

  /// Callbacks came, and with them the body.
  fileprivate mutating func noteWhole(_ run: ExampleRun) {
    note("\(run.name): \(run.callbacks) callbacks", "more than 0", run.callbacks > 0)
    noteBody(of: run)
  }
}
