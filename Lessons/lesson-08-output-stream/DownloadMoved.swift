// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A download task writes the file by itself; its delegate moves the file to
/// where it is wanted, before the method returns.
enum DownloadMoved {
  static func run(_ app: ExampleContext) {
    let mover = Mover(
      app.scratch.appendingPathComponent("download"), app.quit)
    let session = URLSession(
      configuration: .default, delegate: mover, delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Mover: NSObject, URLSessionDownloadDelegate {
    private let file: URL
    private let quit: @Sendable () -> Void

    init(_ file: URL, _ quit: @escaping @Sendable () -> Void) {
      (self.file, self.quit) = (file, quit)
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      if totalBytesWritten == totalBytesExpectedToWrite {
        print("all written")
      }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      do {
        try FileManager.default.moveItem(at: location, to: file)
      } catch {
        print("not moved: \(error.localizedDescription)")
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print(
        error.map { "failed: \($0.localizedDescription)" } ?? "finished")
      quit()
    }
  }
}
