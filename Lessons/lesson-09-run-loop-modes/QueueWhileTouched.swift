// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The same download with a delegate queue, in two orders.
enum QueueWhileTouched {
  /// Defective, as note N1 writes it: it starts first and gets its queue
  /// then. Each event still passes through the main loop in the default mode.
  static func afterStart(_ app: ExampleContext) {
    // begin after
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))  // ←
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    // end after
    app.runApplication()
  }

  /// The cure: created without starting, given its queue, then started.
  static func beforeStart(_ app: ExampleContext) {
    // begin before
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app),
      startImmediately: false)  // ←
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    // end before
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var received = 0
    private var status = 0
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print(status == 200 ? "received \(received) bytes" : "status \(status)")
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
