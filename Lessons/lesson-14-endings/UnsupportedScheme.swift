// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A scheme that nobody serves. `canHandle` says so; the connection is
/// created all the same, and fails.
enum UnsupportedScheme {
  static func run(_ app: ExampleContext) {
    guard let url = URL(string: "gopher://127.0.0.1/") else { return }
    let request = URLRequest(url: url)
    print("can handle: \(NSURLConnection.canHandle(request))")
    let connection = NSURLConnection(request: request, delegate: Load(app))
    print("created: \(connection != nil)")
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed with code \((error as NSError).code)")
      app.quit()
    }
  }
}
