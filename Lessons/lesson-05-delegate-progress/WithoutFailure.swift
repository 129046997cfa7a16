// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A delegate without the failure method, and no server at the address: the
/// program waits for an end that has already come.
enum WithoutFailure {
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

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      end = "finished"
    }
  }
}
