// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Progress from a download task: each report says how much this piece was,
/// how much it is so far and how much there will be. The session has a queue
/// of its own.
enum DownloadDelegate {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    let session = URLSession(
      configuration: .default, delegate: download,
      delegateQueue: OperationQueue())
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Its methods are called one at a time, and it keeps nothing between them.
  private final class Download: NSObject, URLSessionDownloadDelegate {
    private let quit: @Sendable () -> Void

    init(quit: @escaping @Sendable () -> Void) {
      self.quit = quit
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      let progress =
        Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)
      if progress == 1 { print("progress \(progress)") }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      print("finished")
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      if let error { print("failed: \(error.localizedDescription)") }
      quit()
    }
  }
}
