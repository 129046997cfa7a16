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
    // begin nil
    load(app, queue: nil)
    // end nil
  }

  /// A new queue runs as much at a time as the system likes.
  static func onNew(_ app: ExampleContext) {
    // begin new
    load(app, queue: OperationQueue())
    // end new
  }

  private static func load(_ app: ExampleContext, queue: OperationQueue?) {
    let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: queue)
    let group = DispatchGroup()
    for number in 1...3 {
      group.enter()
      let task = session.dataTask(with: app.url) { data, response, error in
        print("handler \(number) begins")
        Thread.sleep(forTimeInterval: 0.1)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let why = error?.localizedDescription ?? "status \(status)"
        let isRight = status == 200 && error == nil
        let result = isRight ? "\(data?.count ?? 0) bytes" : "failed, \(why)"
        print("handler \(number) ends: \(result)")
        group.leave()
      }
      task.resume()
    }
    session.finishTasksAndInvalidate()
    group.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
