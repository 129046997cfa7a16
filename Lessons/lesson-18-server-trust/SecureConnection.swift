// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download like any other. Whether the address begins with http or https
/// makes no difference to the program.
enum SecureConnection {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
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
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) bytes")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \((error as NSError).code)")
      app.quit()
    }
  }
}
