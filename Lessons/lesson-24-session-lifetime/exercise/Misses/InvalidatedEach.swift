// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Each session is invalidated, but there still is one for each load, with a connection of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    load(100, app)
    app.runApplication()
  }

  private static func load(_ left: Int, total: Int = 0, _ app: ExerciseContext) {
    guard left > 0 else {
      app.result("\(total / 100)")
      return app.quit()
    }
    let listener = Listener { load(left - 1, total: total + $0, app) }
    let session = URLSession(configuration: .default, delegate: listener, delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
  }
}

/// Collects one body. Sendable: it is used on the main thread alone.
final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private var body = Data()
  private let done: (Int) -> Void

  init(_ done: @escaping (Int) -> Void) { self.done = done }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { body += data }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    done(body.reduce(0) { $0 + Int($1) })
  }
}
