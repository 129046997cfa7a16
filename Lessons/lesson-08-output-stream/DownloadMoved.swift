// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A download task writes the file by itself; its delegate moves the file to
/// where it is wanted, before the method returns.
enum DownloadMoved {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let session = URLSession(
      configuration: .default, delegate: Mover(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Mover: NSObject, URLSessionDownloadDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var problem: (any Error)?
    private var count: Int64 = 0
    init(_ app: ExampleContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { count = totalBytesWritten }

    // begin moved
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      do {
        let http = downloadTask.response as? HTTPURLResponse
        guard http?.statusCode == 200 else {
          throw URLError(.badServerResponse)
        }
        let file = app.scratch.appendingPathComponent("download")
        try location.takePlace(of: file)  // ←
      } catch {
        problem = error
      }
    }
    // end moved

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let why = (problem ?? error)?.localizedDescription
      print(why.map { "failed: \($0)" } ?? "finished: \(count) bytes")
      app.quit()
    }
  }
}
