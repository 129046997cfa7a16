// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A delegate hears how each load ends; the configuration is complete before its session is made.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    configuration.timeoutIntervalForResource = 1
    let session = URLSession(configuration: configuration, delegate: Ends(app), delegateQueue: .main)
    for _ in 1...3 { session.dataTask(with: app.url).resume() }
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Ends: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext

  init(_ app: ExerciseContext) { self.app = app }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error = error as? URLError { app.result("\(error.errorCode)") }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { app.quit() }
}
