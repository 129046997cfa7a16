// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 5.
enum DelegateProgress {
  static let lesson: Lesson = .make(
    5, "delegate-progress", "Delegate and progress", minutes: 15,
    connection: connectionExamples, session: sessionExamples, claims: claims,
    pairs: [
      .pair("delegate-main", "data-delegate", "the Session example's callbacks come on the session's own queue"),
      .pair("delegate-queue", "download-delegate", fileToo),
      .pair("throttled", "download-throttled", fileToo),
    ],
    shows: [.memory, .callbacks, .printed],
    about: .of("thread of the callbacks", .callbacks, "connection/delegate-main", beside: "connection/worker"),
    predict: Prediction(
      "A connection is created on a worker thread that runs its run loop. On which thread do the delegate's methods run?",
      answers: ["on the main thread", "on that worker thread", "on a thread that the library chooses"], right: 2,
      shownBy: "N1-14"))

  /// What a download does beyond a connection's job; both take time.
  private static let fileToo: Phrase = "the Session example writes a file, which is read back for its checksum"

  /// How long a run is watched for messages after the last one, as in lesson 14.
  private static let watch = Duration.milliseconds(500)
  private static let slow = Example.Resource.body(takes: .milliseconds(1500))
  private static let part = Example.Resource.body(divisor: 64)

  private static let connectionExamples: [Example] = [
    .connection("delegate-main", "created on main, callbacks on main", "DelegateOnMain", run: DelegateOnMain.run)
      .watchedAfterwards(for: watch),
    .connection("delegate-queue", "queue set, then started", "DelegateOnQueue", run: DelegateOnQueue.run)
      .watchedAfterwards(for: watch),
    .connection(
      "throttled", "the program of delegate-main, a slow server", "DelegateOnMain", loads: slow,
      run: DelegateOnMain.run),
    .connection(
      "queue-after-start", "started at creation, queue set afterwards (as N1 writes it)", "QueueAfterStart",
      run: QueueAfterStart.run
    ).has(.queueAfterStart).makes(.line("progress 1.0")),
    .connection(
      "no-length", "the server does not announce the length", "WithoutLength", loads: .body(length: .none),
      run: WithoutLength.run
    ).watchedAfterwards(for: watch).makes(.line("length unknown, counting bytes")),
    .connection(
      "no-length-divided", "no length, and the program divides by it (defective, as N1 writes it)", "QueueAfterStart",
      loads: .body(length: .none), run: QueueAfterStart.run
    ).has(.queueAfterStart).makes(.line("length unknown, counting bytes")),
    .connection(
      "worker", "created on a worker thread that runs its loop", "DelegateOnWorker", run: DelegateOnWorker.run
    )
    .watchedAfterwards(for: watch),
    .connection(
      "without-response", "the delegate has no response method", "WithoutResponse", loads: part,
      run: WithoutResponse.run
    ).besideOthers().makes(.nothing),
    .connection("without-data", "the delegate has no data method", "WithoutData", loads: part, run: WithoutData.run)
      .besideOthers().makes(.nothing),
    .connection(
      "without-finish", "the delegate has no finish method", "WithoutFinish", loads: part, run: WithoutFinish.run
    ).besideOthers().makes(.nothing),
    .connection(
      "without-failure", "nobody listens, and the delegate has no failure method", "WithoutFailure", loads: .refused,
      endsAs: .failed, run: WithoutFailure.run
    ).has(.errorUnheard).besideOthers().makes(.nothing),
  ]

  private static let sessionExamples: [Example] = [
    .session(
      "download-delegate", "download task, delegate on a queue of its own", "DownloadDelegate",
      run: DownloadDelegate.run
    ).makes(.file("download")),
    .session(
      "download-default-queue", "the program of download-delegate, no queue given", "DownloadDelegate",
      run: DownloadDelegate.runOnDefaultQueue
    ).makes(.file("download")),
    .session(
      "download-main-queue", "the program of download-delegate, on the main queue", "DownloadDelegate",
      run: DownloadDelegate.runOnMain
    ).makes(.file("download")),
    .session("data-delegate", "data task, delegate without a queue given", "DataDelegate", run: DataDelegate.run),
    .session(
      "download-throttled", "the program of download-delegate, a slow server", "DownloadDelegate", loads: slow,
      run: DownloadDelegate.run
    ).makes(.file("download")),
    .session(
      "shared-handler", "shared session, completion handler: no progress", "SharedHandler", run: SharedHandler.run
    ).has(.wholeBodyInMemory),
    .session(
      "handler-despite-delegate", "completion handler in a session with a delegate: no progress",
      "HandlerDespiteDelegate", run: HandlerDespiteDelegate.run
    ).has(.wholeBodyInMemory),
    .borrow("session/resumed", of: SuspendResumeCancel.lesson, as: "counted"),
  ]
}
