// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Progress from a download task: each report says how much this piece was,
/// how much it is so far and how much there will be.
enum DownloadDelegate {
  static func run(_ app: ExampleContext) { load(app, OperationQueue()) }

  static func runOnDefaultQueue(_ app: ExampleContext) { load(app, nil) }

  static func runOnMain(_ app: ExampleContext) { load(app, .main) }

  private static func load(_ app: ExampleContext, _ queue: OperationQueue?) {
    let session = URLSession(
      configuration: .default, delegate: Download(app), delegateQueue: queue)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// The session calls its methods one at a time.
  private final class Download: NSObject, URLSessionDownloadDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) { self.app = app }

    // begin progress
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      guard totalBytesWritten == totalBytesExpectedToWrite else { return }
      print("progress 100 %")  // ←
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      let response = downloadTask.response as? HTTPURLResponse
      guard response?.statusCode == 200 else { return print("failed") }
      let file = app.scratch.appendingPathComponent("download")
      do {
        try FileManager.default.moveItem(at: location, to: file)
      } catch { print("failed: \(error.localizedDescription)") }
    }
    // end progress

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print(error.map { "failed: \($0.localizedDescription)" } ?? "ended")
      app.quit()
    }
  }
}
