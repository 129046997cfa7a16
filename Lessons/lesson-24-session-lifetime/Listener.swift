// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A download's delegate that prints a line when it is released.
final class Listener: NSObject, URLSessionDownloadDelegate {
  private let app: ExampleContext

  init(_ app: ExampleContext) {
    self.app = app
  }

  deinit {
    print("delegate released")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch {
      print("failed: \(error.localizedDescription)")
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    print(error.map { "task ended: \(($0 as NSError).code)" } ?? "task ended")
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
  }
}
