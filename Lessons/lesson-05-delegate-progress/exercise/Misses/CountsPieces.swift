// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The bar moves a twentieth of what is left with each piece, however long it is, and never asks how long the body
/// is.
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
    private var part = 0.0
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
      if totalBytesExpectedToWrite > 0 {
        app.progress(part)
        part += (1 - part) / 20
      } else {
        app.label = "unknown"
      }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      app.progress(1)
      app.quit()
    }
  }
}
