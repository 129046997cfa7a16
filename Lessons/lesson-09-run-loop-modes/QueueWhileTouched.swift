// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The same download with a delegate queue, in two orders.
enum QueueWhileTouched {
  /// Defective, as note N1 writes it: it starts first and gets its queue
  /// then. Each event still passes through the main loop in the default mode.
  static func afterStart(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    app.runApplication()
  }

  /// The cure: created without starting, given its queue, then started.
  static func beforeStart(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load,
      startImmediately: false)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private var received = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) bytes")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
