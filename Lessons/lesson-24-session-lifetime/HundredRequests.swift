// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A hundred small requests, one after the other.
enum HundredRequests {
  /// Defective: a session for each.
  static func overHundredSessions(_ app: ExampleContext) {
    for _ in 1...100 {
      let session = URLSession(configuration: .default)
      load(app.url, over: session)
      session.finishTasksAndInvalidate()
    }
  }

  /// The cure: one session for all.
  static func overOneSession(_ app: ExampleContext) {
    let session = URLSession(configuration: .default)
    for _ in 1...100 { load(app.url, over: session) }
    session.finishTasksAndInvalidate()
  }

  private static func load(_ url: URL, over session: URLSession) {
    let isDone = DispatchSemaphore(value: 0)
    let task = session.dataTask(with: url) { _, _, _ in isDone.signal() }
    task.resume()
    isDone.wait()
  }
}
