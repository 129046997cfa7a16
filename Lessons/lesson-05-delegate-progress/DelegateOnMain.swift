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
    private var status = 0
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private var quarters: Int64 = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    // begin progress
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      expected = response.expectedContentLength
      (received, quarters) = (0, 0)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
      guard expected > 0, 4 * received / expected > quarters else { return }
      quarters = 4 * received / expected  // ←
      print("\(25 * quarters) %")
    }
    // end progress

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let isRight = status == 200
      print(isRight ? "received \(received) bytes" : "failed: \(status)")
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
