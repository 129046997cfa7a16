// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Waiting on the main thread for a handler, to make a data task look like a
/// synchronous call.
enum SemaphoreOnMain {
  /// Defective: the handler is to run on the main thread, which waits for it.
  /// Neither ever goes on.
  static func handlerOnMain(_ app: ExampleContext) {
    wait(for: app.url, handlerOn: .main)
  }

  /// It ends, since the handler has a queue of its own. The application was
  /// blocked all the same.
  static func handlerOnItsQueue(_ app: ExampleContext) {
    wait(for: app.url, handlerOn: OperationQueue())
  }

  private static func wait(for url: URL, handlerOn queue: OperationQueue) {
    // begin semaphore
    let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: queue)
    let isDone = DispatchSemaphore(value: 0)
    let task = session.dataTask(with: url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      let why = error?.localizedDescription ?? "status \(status)"
      print(
        status == 200 && error == nil
          ? "received \(data?.count ?? 0) bytes" : "failed: \(why)")
      isDone.signal()
    }
    task.resume()
    print("waiting")
    isDone.wait()  // ←
    // end semaphore
    session.finishTasksAndInvalidate()
  }
}
