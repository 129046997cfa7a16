// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The bar stands still while the body comes and runs from 0 to 1 in eleven steps when all is there.
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
    private var isKnown = true
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      isKnown = totalBytesExpectedToWrite > 0
      if !isKnown { app.label = "unknown" }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let first = isKnown ? 0 : 10
      for step in first...10 { app.progress(Double(step) / 10) }
      app.quit()
    }
  }
}
