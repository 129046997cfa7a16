// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A configuration has two time-outs. One bounds the silence, the other the
/// whole task.
enum TwoTimeouts {
  static func ofSilence(_ app: ExampleContext) {
    load(app) { $0.timeoutIntervalForRequest = 1 }
  }

  static func ofAll(_ app: ExampleContext) {
    load(app) { $0.timeoutIntervalForResource = 1 }
  }

  private static func load(
    _ app: ExampleContext, set: (URLSessionConfiguration) -> Void
  ) {
    let configuration = URLSessionConfiguration.default
    set(configuration)
    let session = URLSession(configuration: configuration)
    let task = session.dataTask(with: app.url) { data, _, error in
      print(error.map { "failed: \(($0 as NSError).code)" } ?? "received")
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
