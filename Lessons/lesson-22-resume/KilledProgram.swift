// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program is killed half-way, as a person or the system may do at any
/// moment. Another process makes the download. Launched again, the program
/// makes the same session and is given the finished file.
///
/// Sendable: it is used on the main thread alone.
final class KilledProgram: NSObject, @unchecked Sendable {
  let app: ExampleContext
  var isFirstLife = false

  init(_ app: ExampleContext) { self.app = app }

  // begin background
  func start() {
    let session = URLSession(
      configuration: .background(withIdentifier: "lesson"),  // ←
      delegate: self, delegateQueue: .main)
    session.getAllTasks { tasks in
      print("tasks from before: \(tasks.count)")
      guard tasks.isEmpty else { return }
      self.isFirstLife = true
      session.downloadTask(with: self.app.url).resume()
    }
  }
  // end background

  static func run(_ app: ExampleContext) {
    KilledProgram(app).start()
    app.runApplication()
  }
}

extension KilledProgram: URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    if isFirstLife { kill(getpid(), SIGKILL) }
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
    guard let error else { return }
    print("failed: \(error.localizedDescription)")
    app.quit()
  }

  func urlSessionDidFinishEvents(
    forBackgroundURLSession session: URLSession
  ) {
    print("all that had ended was delivered")
    app.quit()
  }
}
