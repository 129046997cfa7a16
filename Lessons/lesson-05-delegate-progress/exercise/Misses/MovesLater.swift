// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Moves the file on main after the delegate's method has returned: the session has removed it when main is busy.
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
      DispatchQueue.main.async { [app] in
        if totalBytesExpectedToWrite > 0 {
          app.progress(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite))
        } else {
          app.label = "unknown"
        }
      }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      DispatchQueue.main.async { [app] in
        try? FileManager.default.moveItem(at: location, to: app.scratch.appendingPathComponent("download"))
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      DispatchQueue.main.async { [app] in
        if error == nil { app.progress(1) }
        app.quit()
      }
    }
  }
}
