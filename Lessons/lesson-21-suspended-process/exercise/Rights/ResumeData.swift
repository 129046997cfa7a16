// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Each failure brings resume data, with which the next task goes on; without any, all starts anew.
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

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let error else {
      session.finishTasksAndInvalidate()
      return app.quit()
    }
    print("goes on after: \(error.localizedDescription)")
    if let kept = (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data {
      session.downloadTask(withResumeData: kept).resume()
    } else {
      start()
    }
  }
}
