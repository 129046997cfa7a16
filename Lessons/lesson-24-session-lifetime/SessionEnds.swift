// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Three ways to leave a session whose delegate nobody else holds.
enum SessionEnds {
  /// Defective: the session is forgotten. It keeps its delegate for ever.
  static func never(_ app: ExampleContext) {
    download(app) { _ in }
  }
  /// The cure: what runs may end, then all is released.
  static func finishing(_ app: ExampleContext) {
    download(app) { $0.finishTasksAndInvalidate() }
  }
  /// What runs is cancelled.
  static func cancelling(_ app: ExampleContext) {
    download(app, cancels: true) { _ in }
  }

  private static func download(
    _ app: ExampleContext, cancels: Bool = false,
    leave: (URLSession) -> Void
  ) {
    let session = URLSession(
      configuration: .default, delegate: Listener(app, cancels),
      delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    leave(session)
    app.runApplication()
  }

  private final class Listener: NSObject, URLSessionDownloadDelegate {
    private let app: ExampleContext
    private let cancels: Bool
    init(_ app: ExampleContext, _ cancels: Bool) {
      (self.app, self.cancels) = (app, cancels)
    }
    deinit { print("delegate released") }
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
      totalBytesExpectedToWrite: Int64
    ) {
      if cancels { session.invalidateAndCancel() }
    }
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {}
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print("task ended")
      DispatchQueue.main.asyncAfter(
        deadline: .now() + 0.5, execute: app.quit)
    }
  }
}
