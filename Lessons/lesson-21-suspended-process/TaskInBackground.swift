// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with a download task in an ordinary session. A background session
/// would go on in a process of the system's, which Linux does not have.
enum TaskInBackground {
  static func run(_ app: ExampleContext) {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 1.5
    let session = URLSession(configuration: configuration)
    let task = session.downloadTask(with: app.url) { location, _, error in
      print(
        error.map { "failed: \(($0 as NSError).code)" }
          ?? "the file is \(location == nil ? "missing" : "there")")
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
