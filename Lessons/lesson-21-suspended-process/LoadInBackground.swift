// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download like any other, with a time-out of a second. What is special
/// happens to its process: it is stopped in the middle.
enum LoadInBackground {
  static func run(_ app: ExampleContext) {
    // begin request
    let request = URLRequest(
      url: app.url, cachePolicy: .useProtocolCachePolicy,
      timeoutInterval: 1)  // ←
    _ = NSURLConnection(request: request, delegate: Load(app))
    // end request
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var received = 0
    init(_ app: ExampleContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) bytes")
      app.quit()
    }

    // begin failure
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      let isLate = (error as? URLError)?.code == .timedOut  // ←
      print("\(isLate ? "timed out" : "failed") after \(received) bytes")
      app.quit()
    }
    // end failure
  }
}
