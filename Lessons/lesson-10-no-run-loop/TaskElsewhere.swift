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
    // begin task
    let session = URLSession.shared
    let task = session.dataTask(with: app.url) { data, reply, error in
      let status = (reply as? HTTPURLResponse)?.statusCode ?? 0
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "status \(status), received \(data?.count ?? 0) bytes")
      app.quit()
    }
    task.resume()
    // end task
  }
}
