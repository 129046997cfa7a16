// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with a data task in an ordinary session. A background session
/// would transfer in a process of its own.
enum TaskInBackground {
  static func run(_ app: ExampleContext) {
    // begin session
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 1  // ←
    let session = URLSession(
      configuration: configuration, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    // end session
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the delegate queue is the main one.
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

    // begin end
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let isLate = (error as? URLError)?.code == .timedOut
      let end = isLate ? "timed out after" : "failed after"
      print("\(error == nil ? "received" : end) \(received) bytes")
      app.quit()
    }
    // end end
  }
}
