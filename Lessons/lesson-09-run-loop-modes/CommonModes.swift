// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The cure for a connection on a run loop: created without starting, given
/// its place, then started. The common modes go on while the person scrolls.
enum CommonModes {
  static func run(_ app: ExampleContext) {
    // begin common
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app),
      startImmediately: false)
    connection?.schedule(in: .current, forMode: .common)  // ←
    connection?.start()
    // end common
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
