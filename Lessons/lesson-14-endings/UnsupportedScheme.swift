// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Requests that cannot be loaded. Which of them has no connection at all?
enum UnsupportedScheme {
  /// A scheme without a protocol handler: the connection exists, and fails.
  static func gopher(_ app: ExampleContext) {
    guard let url = URL(string: "gopher://127.0.0.1/") else { return }
    // begin gopher
    let request = URLRequest(url: url)
    print("can handle: \(NSURLConnection.canHandle(request))")
    let connection = NSURLConnection(request: request, delegate: Load(app))
    print("created: \(connection != nil)")  // ←
    // end gopher
    app.runApplication()
  }

  /// A request without an address: there is none.
  static func noAddress(_ app: ExampleContext) {
    // begin no-address
    var request = URLRequest(url: app.url)
    request.url = nil
    print("can handle: \(NSURLConnection.canHandle(request))")
    let connection = NSURLConnection(request: request, delegate: Load(app))
    print("created: \(connection != nil)")  // ←
    // end no-address
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed with code \((error as NSError).code)")
      app.quit()
    }
  }
}
