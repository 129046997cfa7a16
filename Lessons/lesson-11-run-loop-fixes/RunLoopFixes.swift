// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 11.
enum RunLoopFixes {
  /// The server waits two seconds, so that waiting can be compared.
  private static let late = Example.Resource.body(divisor: 64, after: .seconds(2))

  static let lesson: Lesson = .make(
    11, "run-loop-fixes", "Keeping a run loop alive, and ending it", minutes: 15,
    connection: [
      .connection(
        "run", "run() in the block, as N1 writes it; nothing else in its loop", "RunForever", loads: late,
        run: RunForever.asWritten
      ).has(.queueAfterStart),
      .connection(
        "run-with-timer", "run() in the block, with a timer in its loop (defective)", "RunForever", loads: late,
        run: RunForever.withTimer
      ).has(.queueAfterStart),
      .connection(
        "polling", "the loop runs a tenth of a second at a time", "PollingLoop", loads: late, run: PollingLoop.run
      ).has(.queueAfterStart),
      .connection(
        "saved-loop", "CFRunLoopRun, stopped by CFRunLoopStop on the saved loop", "StoppedLoop", loads: late,
        run: StoppedLoop.run
      ).has(.queueAfterStart),
      .connection(
        "wrong-loop", "CFRunLoopStop on the current loop (defective)", "StoppedCurrentLoop", loads: late,
        run: StoppedCurrentLoop.run
      ).has(.queueAfterStart),
      .connection(
        "main-loop", "from the worker, scheduled on the main loop", "MainLoopFromWorker", loads: late,
        run: MainLoopFromWorker.run),
    ].besideOthers(except: "polling", "saved-loop"),
    session: [
      .session("no-loop", "the same job with a task", "TaskWithoutLoop", loads: late, run: TaskWithoutLoop.run)
    ].besideOthers(),
    claims: claims,
    pairs: [.pair("main-loop", "no-loop")],
    shows: [.threads, .printed],
    about: .of("last line printed", .lastLine, wrong: "connection/wrong-loop", right: "connection/saved-loop"),
    predict: Prediction(
      "A worker waits in CFRunLoopRun(). At the end the delegate, which is called on a queue, stops the current loop. "
        + "What does the worker do?",
      answers: ["it ends at once", "it ends when its timer fires", "it waits on"], right: 3, shownBy: "N1-35"))
}
