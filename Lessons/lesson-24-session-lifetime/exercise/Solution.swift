// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads `app.url` a hundred times, one after the other, and hands in the sum of all bytes, divided by a hundred. One
/// session serves them; each task has a delegate of its own, which goes with it.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    load(100, over: URLSession(configuration: .default, delegate: nil, delegateQueue: .main), app)
    app.runApplication()
  }

  private static func load(_ left: Int, total: Int = 0, over session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else {
      session.finishTasksAndInvalidate()
      app.result("\(total / 100)")
      return app.quit()
    }
    let task = session.dataTask(with: app.url)
    task.delegate = Listener { load(left - 1, total: total + $0, over: session, app) }
    task.resume()
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
