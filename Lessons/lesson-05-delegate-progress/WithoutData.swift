// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A delegate without the data method: the body is loaded and dropped.
enum WithoutData {
  static func run(_ app: ExampleContext) {
    let download = Download()
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: download)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
    print("after a second: \(download.state)")
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private var end = "no end so far"

    var state: String { "\(received) of \(expected) bytes, \(end)" }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      expected = response.expectedContentLength
      received = 0
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      end = "finished"
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      end = "failed"
    }
  }
}
