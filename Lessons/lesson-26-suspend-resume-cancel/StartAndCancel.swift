// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// All that a connection can be told: start and cancel. A pause would have to
/// be a cancel, and the rest another connection's.
enum StartAndCancel {
  static func run(_ app: ExampleContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app),
      startImmediately: false)
    connection?.start()
    print("started")
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var received = 0

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
      connection.cancel()
      print("cancelled after \(received) bytes")
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
