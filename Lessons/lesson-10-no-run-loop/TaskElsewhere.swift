// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task started in the same places. A session needs no run loop, so
/// there is nothing to go wrong.
enum TaskElsewhere {
  static func inBlock(_ app: ExampleContext) {
    DispatchQueue.global().async { start(app) }
    app.runApplication()
  }

  static func inOperation(_ app: ExampleContext) {
    let queue = OperationQueue()
    queue.addOperation { start(app) }
    app.runApplication()
  }

  private static func start(_ app: ExampleContext) {
    print("start")
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "received \(data?.count ?? 0) bytes")
      app.quit()
    }
    task.resume()
  }
}
