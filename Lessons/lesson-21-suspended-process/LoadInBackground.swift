// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download like any other, with a time-out of a second and a half. What is
/// special happens to its process: it is stopped in the middle.
enum LoadInBackground {
  static func run(_ app: ExampleContext) {
    let request = URLRequest(
      url: app.url, cachePolicy: .useProtocolCachePolicy,
      timeoutInterval: 1.5)
    _ = NSURLConnection(request: request, delegate: Load(app))
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
      print("failed after \(received) bytes: \((error as NSError).code)")
      app.quit()
    }
  }
}
