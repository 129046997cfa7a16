// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Resumes after every pause with the resume data of the first one: the server sends again what came after that.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { downloader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { downloader.resume() }
    if FileManager.default.fileExists(atPath: app.scratch.appendingPathComponent("again").path) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { downloader.pause() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3) { downloader.resume() }
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDownloadTask?
  private var resumeData: Data?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func start() { begin(session.downloadTask(with: app.url)) }

  private func begin(_ task: URLSessionDownloadTask) {
    self.task = task
    task.resume()
  }

  func pause() {
    guard let paused = task else { return }
    task = nil
    paused.cancel { data in
      DispatchQueue.main.async { [self] in resumeData = resumeData ?? data }
    }
  }

  func resume() {
    guard let data = resumeData else { return start() }
    begin(session.downloadTask(withResumeData: data))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    if let error { print("failed: \(error.localizedDescription)") }
    app.quit()
  }
}
