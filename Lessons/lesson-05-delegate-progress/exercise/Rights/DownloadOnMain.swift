// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the download's delegate is called on the main queue and tells known from unknown lengths.
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
    private var hasBegun = false
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      if !hasBegun {
        hasBegun = true
        app.progress(0)
        if totalBytesExpectedToWrite <= 0 { app.label = "unknown" }
      }
      if totalBytesExpectedToWrite > 0 { app.progress(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)) }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") } else { app.progress(1) }
      app.quit()
    }
  }
}
