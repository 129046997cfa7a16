// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The cure for a second load: a connection of its own, made at the end of
/// the first.
enum NewConnection {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app, left: 1))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let left: Int
    private var status = 0
    init(_ app: ExampleContext, left: Int) {
      (self.app, self.left) = (app, left)
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished with status \(status)")
      guard left > 0 else { return app.quit() }
      // begin again
      _ = NSURLConnection(
        request: URLRequest(url: app.url),
        delegate: Load(app, left: left - 1))  // ←
      // end again
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
