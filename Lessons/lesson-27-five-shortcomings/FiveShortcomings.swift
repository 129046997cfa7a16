// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 27: programs of the lessons before, looked at together, and one program for each kind of load.
enum FiveShortcomings {
  /// A server that reads late: else a fast machine has sent all before the main queue runs, and reports once.
  private static let upload = Example.Resource.path("/upload/later")
  private static let sent = Example.Product.received(.repeated("x", times: 16 << 20))

  static let lesson: Lesson = .make(
    27, "five-shortcomings", "Five shortcomings of NSURLConnection", minutes: 12, connection: connection,
    session: session,
    claims: claims,
    pairs: [
      .pair("in-a-block", "in-a-block"), .pair("touched", "touched"), .pair("own-thread", "no-thread"),
      .pair("data", "data-delegate"), .pair("upload", "upload"), .pair("handler", "task-handler"),
      .pair("piece-by-piece", "download"),
      .pair("start-cancel", "resumed", "the Session example continues and loads the whole"),
    ],
    shows: [.memory, .callbacks],
    about: .of("callbacks in all", .callbackCount, wrong: "connection/in-a-block", right: "session/in-a-block"),
    predict: Prediction(
      "N4 says that a connection reports no progress, neither of a download nor of an upload. What does the delegate of "
        + "a connection hear while its body is sent?",
      answers: ["nothing before the answer", "how many bytes were sent", "one message when all was sent"], right: 2,
      shownBy: "N4-10"))

  private static let connection: [Example] = [
    .borrow("connection/dispatch-block", of: NoRunLoop.lesson, as: "in-a-block"),
    .borrow("connection/default-mode", of: RunLoopModes.lesson, as: "touched"),
    .borrow("connection/queue", of: NoRunLoop.lesson, as: "in-a-block-queue"),
    .borrow("connection/queue", of: RunLoopModes.lesson, as: "touched-queue"),
    .borrow("connection/mended", of: NetworkThreadLesson.lesson, as: "own-thread"),
    .connection("data", "data, one delegate class", "DataByConnection", run: DataByConnection.run),
    .connection(
      "upload", "an upload, one delegate class", "UploadByConnection", loads: upload, run: UploadByConnection.run
    ).makes(sent),
    .connection("download", "a download, one delegate class", "DownloadByConnection", run: DownloadByConnection.run)
      .makes(.file("download")),
    .borrow("connection/one-write", of: MemoryPeak.lesson, as: "handler"),
    .borrow("connection/released", of: Accumulate.lesson, as: "collected"),
    .borrow("connection/one-handle", of: WritingByHandle.lesson, as: "piece-by-piece"),
    .borrow("connection/start-cancel", of: SuspendResumeCancel.lesson, as: "start-cancel"),
  ]

  private static let session: [Example] = [
    .borrow("session/dispatch-block", of: NoRunLoop.lesson, as: "in-a-block"),
    .borrow("session/queue-main", of: RunLoopModes.lesson, as: "touched"),
    .borrow("session/shared-manager", of: NetworkThreadLesson.lesson, as: "no-thread"),
    .borrow("session/data-delegate", of: DelegateProgress.lesson, as: "data-delegate"),
    .session("upload", "an upload task", "UploadByTask", loads: upload, run: UploadByTask.run).makes(sent),
    .borrow("session/one-write", of: MemoryPeak.lesson, as: "task-handler"),
    .borrow("session/moved", of: WritingByStream.lesson, as: "download"),
    .borrow("session/resumed", of: SuspendResumeCancel.lesson, as: "resumed"),
  ]
}
