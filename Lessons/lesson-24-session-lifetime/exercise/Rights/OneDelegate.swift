// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One session with one delegate, which adds up the bytes as they come and starts the next load.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration, delegate: Listener(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var (left, total) = (100, 0)

  init(_ app: ExerciseContext) { self.app = app }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    total = data.reduce(total) { $0 + Int($1) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    left -= 1
    if left > 0 { return session.dataTask(with: app.url).resume() }
    app.result("\(total / 100)")
    session.invalidateAndCancel()
    app.quit()
  }
}
