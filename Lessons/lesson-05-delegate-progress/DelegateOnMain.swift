// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Progress from a delegate. The connection is created on the main thread, so
/// its callbacks come there.
enum DelegateOnMain {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: download)
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private var progress = 0.0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      if let http = response as? HTTPURLResponse {
        let type = http.value(forHTTPHeaderField: "Content-Type") ?? "none"
        print("status \(http.statusCode), type \(type)")
      }
      expected = response.expectedContentLength
      received = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
      progress = Double(received) / Double(expected)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) of \(expected) bytes, progress \(progress)")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
