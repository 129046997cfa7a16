// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 9.
enum RunLoopModes {
  static let lesson: Lesson = .make(
    9, "run-loop-modes", "Run-loop modes", minutes: 20,
    connection: connection.map(touched).besideOthers(except: "fills-buffers") + phases.besideOthers(),
    session: session.map(touched).besideOthers(), claims: claims,
    pairs: [
      .pair("queue", "queue-nil"),
      .pair("common-modes", "queue-main"),
    ],
    shows: [.timeline, .callbacks],
    about: .of(
      "callbacks during the touch", .touchCallbacks, wrong: "connection/default-mode", right: "connection/common-modes"),
    predict: Prediction(
      "The person scrolls for a second during a download. Which of the three gets no callback in that second?",
      answers: [
        "started in its initializer, on the main thread", "scheduled in the common modes, then started",
        "given a delegate queue, then started",
      ], right: 1, shownBy: "N1-24"))

  /// The server takes two seconds; the touch begins after 0.5 s and lasts one.
  private static let slow = Example.Resource.body(divisor: 16, takes: .seconds(2))

  @Sendable private static func touched(_ example: Example) -> Example { example.touched(after: 0.5, for: 1) }

  private static let connection: [Example] = [
    .connection(
      "default-mode", "started at once (defective)", "LoadWhileTouched", loads: slow,
      run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved),
    .connection(
      "scheduled-late", "started at once, then scheduled (defective)", "LoadWhileTouched", loads: slow,
      run: LoadWhileTouched.scheduledTooLate
    ).has(.modeStarved, .scheduledAfterStart),
    .connection(
      "common-modes", "scheduled in the common modes, then started", "CommonModes", loads: slow, run: CommonModes.run),
    .connection(
      "queue-after-start", "started, then given a queue, as N1 writes it (defective)", "QueueWhileTouched", loads: slow,
      run: QueueWhileTouched.afterStart
    ).has(.queueAfterStart, .modeStarved),
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
      run: LoopAndQueue.run
    ).makes(.nothing),
    .connection(
      "fits-buffers", "started at once; the buffers hold what comes during the touch", "LoadWhileTouched",
      loads: .path("/body?size=512KiB&rate=512KiB"), run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved).makes(.line("received \(512 << 10) bytes")),
    .connection(
      "fills-buffers", "started at once; the buffers cannot hold what comes during the touch", "LoadWhileTouched",
      loads: .path("/body?size=64MiB&rate=64MiB"), run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved).makes(.line("received \(64 << 20) bytes")),
  ]

  /// The touch covers one phase of the load each; the phase of the data is `default-mode`.
  private static let phases: [Example] = [
    .connection(
      "touched-connecting", "started at once, touched while it connects", "LoadWhileTouched",
      loads: .body(divisor: 64), run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved).touched(after: 0, for: 0.7),
    .connection(
      "touched-waiting", "started at once, touched while it waits for the response", "LoadWhileTouched",
      loads: .path("/body?size=64KiB&delay=0.7"), run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved).touched(after: 0.3, for: 0.8).makes(.line("received \(64 << 10) bytes")),
    .connection(
      "touched-at-end", "started at once, touched between the data and the end", "LoadWhileTouched",
      loads: .path("/parts?parts=1&size=1KiB&pause=0.7"), run: LoadWhileTouched.inDefaultMode
    ).has(.modeStarved).touched(after: 0.3, for: 0.8).makes(.line("received 1024 bytes")),
    .connection(
      "four-modes", "in the common modes; the main loop runs in four modes in turn", "FourModes", loads: slow,
      run: FourModes.run
    ).has(.lateOnMain),
  ]

  private static let session: [Example] = [
    .session(
      "queue-nil", "no queue given", "TaskWhileTouched", loads: slow, run: TaskWhileTouched.onItsQueue),
    .session("queue-main", "the main queue", "TaskWhileTouched", loads: slow, run: TaskWhileTouched.onMainQueue),
  ]
}
