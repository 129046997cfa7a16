// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// What all tasks of a session have in common is said once.
enum SharedEnvironment {
  /// Headers and cookies, for three tasks.
  static func run(_ app: ExampleContext) {
    load(app, URLSession(configuration: makeConfiguration()))
  }

  /// Defective: the configuration is changed when the session has been made.
  /// The session has a copy, and does not hear of it.
  static func changedTooLate(_ app: ExampleContext) {
    let configuration = makeConfiguration()
    let session = URLSession(configuration: configuration)
    configuration.httpAdditionalHeaders = ["X-Program": "changed"]
    load(app, session)
  }

  private static func makeConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Program": "lesson/25"]
    return configuration
  }

  private static func load(_ app: ExampleContext, _ session: URLSession) {
    for _ in 1...3 {
      let isDone = DispatchSemaphore(value: 0)
      let task = session.dataTask(with: app.url) { data, _, _ in
        print("received \(data?.count ?? 0) bytes")
        isDone.signal()
      }
      task.resume()
      isDone.wait()
    }
    session.finishTasksAndInvalidate()
  }
}
