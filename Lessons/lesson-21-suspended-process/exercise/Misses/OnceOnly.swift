// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Goes on after the first failure alone: a second cut would be the end.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Downloader(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 2
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  init(_ app: ExerciseContext) { self.app = app }

  func start() { session.downloadTask(with: app.url).resume() }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  private var hasGoneOn = false

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let kept = (error as? URLError)?.downloadTaskResumeData, !hasGoneOn else { return app.quit() }
    hasGoneOn = true
    session.downloadTask(withResumeData: kept).resume()
  }
}
