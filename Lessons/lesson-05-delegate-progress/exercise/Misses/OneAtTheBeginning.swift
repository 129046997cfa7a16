// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Where the length is unknown, the bar goes to 1 with the first piece and stays there.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var isShown = false
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      if totalBytesExpectedToWrite > 0 {
        if totalBytesWritten == bytesWritten { app.progress(0) }
        app.progress(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite))
      } else if !isShown {
        isShown = true
        app.label = "unknown"
        app.progress(1)
      }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      app.quit()
    }
  }
}
