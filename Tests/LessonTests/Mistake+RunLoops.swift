// SPDX-License-Identifier: Apache-2.0
import LessonKit

@testable import Lessons

extension Mistake {
  private static func starves(_ run: ExampleRun) -> Bool { run.recording.touch?.callbacks == 0 }

  private static func hangs(_ run: ExampleRun) -> Bool {
    run.callbacks == 0 && run.result.outcome.kind == .timedOut
  }

  private static func losesWorker(_ run: ExampleRun) -> Bool {
    run.line("start") != nil && run.line("the worker goes on") == nil
  }

  /// Loops in the wrong mode, loops that do not run, loops that do not end.
  static let runLoops = [
    Mistake(
      "N1-24", in: 9, "in the default mode a touch starves the download", bad: "connection/default-mode",
      cure: "connection/common-modes", shows: starves),
    Mistake(
      "N1-25", in: 9, "a queue that is set after the start suffers with the main loop",
      bad: "connection/queue-after-start", cure: "connection/queue", shows: starves),
    Mistake(
      "N1-25", in: 9, "progress sent in the default mode waits for the finger", bad: "connection/progress-default",
      cure: "connection/progress-main"
    ) { run in
      guard let stretch = run.recording.touch?.counted else { return false }
      return !run.recording.lines.contains { $0.text.hasPrefix("bar:") && stretch.contains($0.instant) }
    },
    Mistake(
      "N1-26", in: 9, "scheduling after the start has no effect", bad: "connection/scheduled-late",
      cure: "connection/common-modes", shows: starves),
    Mistake(
      "N1-28", in: 9, "a loop and a queue at once end the program", bad: "connection/loop-and-queue",
      cure: "connection/queue"
    ) { $0.result.outcome.kind == .crashed },
    Mistake(
      "N4-17", in: 9, "a mode that is not common gets nothing", bad: "connection/four-modes", cure: "connection/queue"
    ) { $0.line("NSConnectionReplyMode: 0 ") != nil },
    Mistake(
      "N2-13", in: 9, "the touch holds up what is in the default mode", bad: "connection/default-mode",
      cure: "session/queue-main", shows: starves),
    Mistake(
      "N1-30", in: 10, "started in a block, nothing ever comes", bad: "connection/dispatch-block",
      cure: "connection/queue", shows: hangs),
    Mistake(
      "N5-09", in: 10, "started in an operation, nothing ever comes", bad: "connection/operation",
      cure: "session/operation", shows: hangs),
    Mistake(
      "N1-31", in: 10, "the loop of a block's thread does not run", bad: "connection/dispatch-block",
      cure: "connection/worker-runs", shows: hangs),
    Mistake(
      "N5-10", in: 10, "the loop of the block's thread never runs", bad: "connection/dispatch-block",
      cure: "connection/main-loop", shows: hangs),
    Mistake(
      "N1-32", in: 11, "run() with anything else in the loop never ends", bad: "connection/run-with-timer",
      cure: "connection/saved-loop", shows: losesWorker),
    Mistake(
      "N1-33", in: 11, "polling wakes the thread for nothing", bad: "connection/polling", cure: "connection/saved-loop"
    ) { ((try? $0.workerEnd().wakeups) ?? 0) >= 20 },
    Mistake(
      "N1-35", in: 11, "stopping the current loop leaves the worker running", bad: "connection/wrong-loop",
      cure: "connection/saved-loop", shows: losesWorker),
  ]
}
