// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program is killed half-way; another process makes the download. The
/// program's next life makes the same session and is given the file.
/// Sendable: it is used on the main thread alone.
final class KilledProgram: NSObject, @unchecked Sendable {
  let app: ExampleContext
  var isFirstLife = false
  init(_ app: ExampleContext) { self.app = app }

  static func run(_ app: ExampleContext) {
    let program = KilledProgram(app)
    // begin background
    let session = URLSession(
      configuration: .background(withIdentifier: "lesson"),  // ←
      delegate: program, delegateQueue: .main)
    session.getAllTasks { tasks in
      print("tasks from before: \(tasks.count)")
      program.isFirstLife = tasks.isEmpty
      if tasks.isEmpty { session.downloadTask(with: app.url).resume() }
    }
    // end background
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
    if let error { print("failed: \(error.localizedDescription)") }
    if error != nil { app.quit() }
  }

  func urlSessionDidFinishEvents(
    forBackgroundURLSession session: URLSession
  ) {
    print("all that had ended was delivered")
    app.quit()
  }
}
