// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Small data by a connection. The delegate counts the progress itself.
enum DataByConnection {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  // begin class
  private final class Load: NSObject, NSURLConnectionDataDelegate {  // ←
    // end class
    private let app: ExampleContext
    private var (received, expected) = (Int64(0), Int64(0))

    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      expected = response.expectedContentLength
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) of \(expected) bytes")
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
