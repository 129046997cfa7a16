// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Hundreds of small requests, one after the other.
enum HundredRequests {
  /// Defective: a session for each.
  static func overHundredSessions(_ app: ExampleContext) {
    // begin hundred
    for _ in 1...100 {
      let session = URLSession(configuration: .default)  // ←
      load(app.url, over: session)
      session.finishTasksAndInvalidate()
    }
    // end hundred
  }

  /// The cure: one session for all.
  static func overOneSession(_ app: ExampleContext) {
    // begin one
    let session = URLSession(configuration: .default)  // ←
    for _ in 1...100 {
      load(app.url, over: session)
    }
    session.finishTasksAndInvalidate()
    // end one
  }

  /// Ten rounds: ten requests over a session each, then ten over one.
  static func byTurns(_ app: ExampleContext) {
    let shared = URLSession(configuration: .default)
    for _ in 1...10 {
      for _ in 1...10 {
        let session = URLSession(configuration: .default)
        load(app.url, over: session)
        session.finishTasksAndInvalidate()
      }
      for _ in 1...10 { load(app.url, over: shared) }
    }
    shared.finishTasksAndInvalidate()
  }

  private static func load(_ url: URL, over session: URLSession) {
    let isDone = DispatchSemaphore(value: 0)
    let task = session.dataTask(with: url) { _, _, error in
      if let error { print("failed: \(error.localizedDescription)") }
      isDone.signal()
    }
    task.resume()
    isDone.wait()
  }
}
