// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Thirty tasks to one host, all resumed at once.
enum ThirtyTasks {
  static func run(_ app: ExampleContext) {
    load(app, URLSession(configuration: .default))
  }

  /// The session's configuration says how many connections a host may get.
  static func overTwo(_ app: ExampleContext) {
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = 2
    load(app, URLSession(configuration: configuration))
  }

  private static func load(_ app: ExampleContext, _ session: URLSession) {
    let group = DispatchGroup()
    for _ in 1...30 {
      group.enter()
      let task = session.dataTask(with: app.url) { _, _, error in
        if let error { print("failed: \(error.localizedDescription)") }
        group.leave()
      }
      task.resume()
    }
    print("30 tasks are under way")
    session.finishTasksAndInvalidate()
    group.notify(queue: .main) {
      print("all have ended")
      app.quit()
    }
    app.runApplication()
  }
}
