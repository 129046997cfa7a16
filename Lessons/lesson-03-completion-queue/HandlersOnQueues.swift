// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Three tasks with handlers in one session; the session's queue decides
/// where and when the handlers run. Each has some work to do.
enum HandlersOnQueues {
  static func onMain(_ app: ExampleContext) {
    load(app, queue: .main)
  }

  /// No queue given: the session makes one, which runs one handler at a time.
  static func onNone(_ app: ExampleContext) {
    load(app, queue: nil)
  }

  /// A new queue runs as much at a time as the system likes.
  static func onNew(_ app: ExampleContext) {
    load(app, queue: OperationQueue())
  }

  private static func load(_ app: ExampleContext, queue: OperationQueue?) {
    let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: queue)
    let group = DispatchGroup()
    for number in 1...3 {
      group.enter()
      let task = session.dataTask(with: app.url) { data, _, _ in
        print("handler \(number) begins: \(data?.count ?? 0) bytes")
        Thread.sleep(forTimeInterval: 0.1)
        print("handler \(number) ends")
        group.leave()
      }
      task.resume()
    }
    session.finishTasksAndInvalidate()
    group.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
