// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A configuration has two time-outs. One bounds the silence, the other the
/// whole task.
enum TwoTimeouts {
  static func ofSilence(_ app: ExampleContext) {
    // begin silence
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 1  // ←
    // end silence
    load(app, configuration)
  }

  static func ofAll(_ app: ExampleContext) {
    // begin all
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 1  // ←
    // end all
    load(app, configuration)
  }

  private static func load(
    _ app: ExampleContext, _ configuration: URLSessionConfiguration
  ) {
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
