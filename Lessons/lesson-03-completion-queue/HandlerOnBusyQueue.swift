// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The session's queue is busy with something else for a second. The transfer
/// goes on meanwhile; only the handler waits.
enum HandlerOnBusyQueue {
  static func run(_ app: ExampleContext) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.addOperation {
      Thread.sleep(forTimeInterval: 1)
      print("the queue is free")
    }
    let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: queue)
    let task = session.dataTask(with: app.url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        print("received \(data.count) bytes")
      } else {
        let why = error?.localizedDescription ?? "status \(status)"
        print("failed: \(why)")
      }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
