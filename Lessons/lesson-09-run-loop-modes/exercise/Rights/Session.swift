// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a URLSession, whose delegate comes on a queue of its own and sends each value to the main queue.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Load: NSObject, URLSessionDownloadDelegate {
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      guard totalBytesExpectedToWrite > 0 else { return }
      let part = Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)
      DispatchQueue.main.async { [app] in app.progress(part) }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      DispatchQueue.main.async { [app] in app.quit() }
    }
  }
}
