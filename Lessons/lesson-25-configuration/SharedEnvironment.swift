// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program says once what all tasks of a session have in common.
enum SharedEnvironment {
  /// Headers and cookies, for three tasks.
  static func run(_ app: ExampleContext) {
    // begin first
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Program": "lesson/25"]  // ←
    let session = URLSession(configuration: configuration)
    // end first
    loadThreeTimes(app, session)
  }

  /// Defective: the program changes the configuration after it has made the
  /// session. The session has a copy.
  static func changedTooLate(_ app: ExampleContext) {
    // begin late
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Program": "old"]
    let session = URLSession(configuration: configuration)
    configuration.httpAdditionalHeaders = ["X-Program": "lesson/25"]  // ←
    // end late
    loadThreeTimes(app, session)
  }

  /// One cache policy for three tasks.
  static func cached(_ app: ExampleContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .returnCacheDataElseLoad
    loadThreeTimes(app, URLSession(configuration: configuration))
  }

  private static func loadThreeTimes(
    _ app: ExampleContext, _ session: URLSession
  ) {
    for _ in 1...3 {
      let isDone = DispatchSemaphore(value: 0)
      let task = session.dataTask(with: app.url) { data, _, error in
        let failure = error.map { "failed: \($0.localizedDescription)" }
        print(failure ?? "received \(data?.count ?? 0) bytes")
        isDone.signal()
      }
      task.resume()
      isDone.wait()
    }
    session.finishTasksAndInvalidate()
  }
}
