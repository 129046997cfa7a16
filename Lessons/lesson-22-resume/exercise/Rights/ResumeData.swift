// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The pause keeps resume data, with which the next task goes on; presses in quick succession are minded.
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
  private var kept: Data?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func start() { begin(session.downloadTask(with: app.url)) }

  private func begin(_ task: URLSessionDownloadTask) {
    self.task = task
    task.resume()
  }

  private var (isWanted, isCancelling) = (true, false)

  func pause() {
    isWanted = false
    guard let paused = task else { return }
    task = nil
    isCancelling = true
    paused.cancel { [self] kept in
      OperationQueue.main.addOperation { [self] in
        self.kept = kept
        isCancelling = false
        if isWanted { goOn() }
      }
    }
  }

  func resume() {
    isWanted = true
    if !isCancelling, task == nil { goOn() }
  }

  private func goOn() {
    guard task == nil else { return }
    if let kept { begin(session.downloadTask(withResumeData: kept)) } else { start() }
    kept = nil
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
