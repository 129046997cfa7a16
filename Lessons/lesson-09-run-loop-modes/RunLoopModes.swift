// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 9.
enum RunLoopModes {
  static let lesson: Lesson = .make(
    9, "run-loop-modes", "Run-loop modes", minutes: 20, connection: connection.map(touched),
    session: session.map(touched),
    claims: claims)

  /// The server takes two seconds; the touch begins after 0.5 s and lasts one.
  private static let slow = Example.Resource.body(divisor: 16, takes: .seconds(2))

  @Sendable private static func touched(_ example: Example) -> Example { example.touched(after: 0.5, for: 1) }

  private static let connection: [Example] = [
    .connection(
      "default-mode", "started at once (defective)", "LoadWhileTouched", loads: slow,
      run: LoadWhileTouched.inDefaultMode),
    .connection(
      "scheduled-late", "started at once, then scheduled (defective)", "LoadWhileTouched", loads: slow,
      run: LoadWhileTouched.scheduledTooLate),
    .connection(
      "common-modes", "scheduled in the common modes, then started", "LoadWhileTouched", loads: slow,
      run: LoadWhileTouched.inCommonModes),
    .connection(
      "queue-after-start", "started, then given a queue, as N1 writes it (defective)", "QueueWhileTouched", loads: slow,
      run: QueueWhileTouched.afterStart),
    .connection(
      "queue", "given a queue, then started", "QueueWhileTouched", loads: slow, run: QueueWhileTouched.beforeStart),
    .connection(
      "progress-default", "on a queue, progress to main in the default mode (defective)", "ProgressToMain",
      loads: slow, run: ProgressToMain.inDefaultMode),
    .connection(
      "progress-main", "on a queue, progress to the main queue", "ProgressToMain", loads: slow,
      run: ProgressToMain.onMainQueue),
    .connection(
      "several-modes", "two modes of one loop", "SeveralPlaces", loads: slow, run: SeveralPlaces.modes),
    .connection("several-loops", "two loops", "SeveralPlaces", loads: slow, run: SeveralPlaces.loops),
    .connection(
      "loop-and-queue", "a loop and a queue at once (an error)", "LoopAndQueue", loads: slow, endsAs: .crashed,
      run: LoopAndQueue.run),
  ]

  private static let session: [Example] = [
    .session(
      "queue-nil", "no queue given", "TaskWhileTouched", loads: slow, run: TaskWhileTouched.onItsQueue),
    .session("queue-main", "the main queue", "TaskWhileTouched", loads: slow, run: TaskWhileTouched.onMainQueue),
  ]
}
