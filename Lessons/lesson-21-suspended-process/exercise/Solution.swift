// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` into the file “download”. An attempt may take two seconds; one that fails, because the process
/// was stopped or the connection is gone, is followed by one for the rest.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Downloader(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private static let attempts = 20
  private let app: ExerciseContext
  private var left = Downloader.attempts
  private lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 2
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  init(_ app: ExerciseContext) { self.app = app }

  func start() { session.downloadTask(with: app.url).resume() }

  /// Goes on where the attempt that failed was; false when there is nothing to go on with, or no sense in it.
  private func goOn(after error: any Error) -> Bool {
    guard left > 0, let data = (error as? URLError)?.downloadTaskResumeData else { return false }
    left -= 1
    session.downloadTask(withResumeData: data).resume()
    return true
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error {
      if goOn(after: error) { return }
      print("failed: \(error.localizedDescription)")
    }
    app.quit()
  }
}
