// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection that is started where no run loop runs.
enum StartedElsewhere {
  /// Defective, as note N1 writes it: in a block on a global queue.
  static func inBlock(_ app: ExampleContext) {
    DispatchQueue.global().async { start(app) }
    app.runApplication()
  }

  /// Defective: in an operation.
  static func inOperation(_ app: ExampleContext) {
    let queue = OperationQueue()
    queue.addOperation { start(app) }
    app.runApplication()
  }

  /// It starts on the loop of the thread that happens to run this code. That
  /// thread goes back to its pool, and the queue comes too late to help.
  private static func start(_ app: ExampleContext) {
    print("start")
    // begin start
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))  // ←
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    // end start
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("response")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
