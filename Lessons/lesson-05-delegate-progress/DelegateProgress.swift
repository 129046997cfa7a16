// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 5.
enum DelegateProgress {
  static let lesson = Lesson(
    number: 5, slug: "delegate-progress", title: "Delegate and progress", minutes: 15,
    examples: connectionExamples + sessionExamples, claims: claims,
    warmUp: [.connection: ConnectionWarmUp.run, .session: SessionWarmUp.run])

  private static let connectionExamples = [
    Example(
      "connection/delegate-main", .connection, "created on main, callbacks on main", file: "DelegateOnMain.swift",
      run: DelegateOnMain.run),
    Example(
      "connection/delegate-queue", .connection, "queue set, then started", file: "DelegateOnQueue.swift",
      run: DelegateOnQueue.run),
    Example(
      "connection/throttled", .connection, "the program of delegate-main, the server takes 1.5 s",
      file: "DelegateOnMain.swift", loads: .body(takes: .milliseconds(1500)), run: DelegateOnMain.run),
    Example(
      "connection/queue-after-start", .connection, "started at creation, queue set afterwards (as N1 writes it)",
      file: "QueueAfterStart.swift", run: QueueAfterStart.run),
    Example(
      "connection/no-length", .connection, "the server does not announce the length", file: "WithoutLength.swift",
      loads: .body(length: .none), run: WithoutLength.run),
    Example(
      "connection/worker", .connection, "created on a worker thread that runs its loop",
      file: "DelegateOnWorker.swift", run: DelegateOnWorker.run),
    Example(
      "connection/without-response", .connection, "the delegate has no response method",
      file: "WithoutResponse.swift", loads: .body(divisor: 64), run: WithoutResponse.run),
    Example(
      "connection/without-data", .connection, "the delegate has no data method", file: "WithoutData.swift",
      loads: .body(divisor: 64), run: WithoutData.run),
    Example(
      "connection/without-finish", .connection, "the delegate has no finish method", file: "WithoutFinish.swift",
      loads: .body(divisor: 64), run: WithoutFinish.run),
    Example(
      "connection/without-failure", .connection, "nobody listens, and the delegate has no failure method",
      file: "WithoutFailure.swift", loads: .refused, endsAs: .failed, run: WithoutFailure.run),
  ]

  private static let sessionExamples = [
    Example(
      "session/download-delegate", .session, "download task, delegate on a queue of its own",
      file: "DownloadDelegate.swift", run: DownloadDelegate.run),
    Example(
      "session/data-delegate", .session, "data task, delegate without a queue given", file: "DataDelegate.swift",
      run: DataDelegate.run),
    Example(
      "session/download-throttled", .session, "the program of download-delegate, the server takes 1.5 s",
      file: "DownloadDelegate.swift", loads: .body(takes: .milliseconds(1500)), run: DownloadDelegate.run),
    Example(
      "session/shared-handler", .session, "shared session, completion handler: no progress",
      file: "SharedHandler.swift", run: SharedHandler.run),
    Example(
      "session/handler-despite-delegate", .session, "completion handler in a session with a delegate: no progress",
      file: "HandlerDespiteDelegate.swift", run: HandlerDespiteDelegate.run),
  ]
}
