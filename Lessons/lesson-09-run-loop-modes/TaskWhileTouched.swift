// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A session knows no modes. With a queue of its own it does not care what
/// the main loop does; the main queue is served while the person scrolls,
/// too.
enum TaskWhileTouched {
  static func onItsQueue(_ app: ExampleContext) {
    download(app, queue: nil)
  }

  static func onMainQueue(_ app: ExampleContext) {
    download(app, queue: .main)
  }

  private static func download(
    _ app: ExampleContext, queue: OperationQueue?
  ) {
    // begin task
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: queue)
    session.dataTask(with: app.url).resume()
    // end task
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var received = 0
    init(_ app: ExampleContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      received += data.count
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "status \(status), received \(received) bytes")
      app.quit()
    }
  }
}
