// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The server does not say how long the body is: the expected length is -1,
/// and all a program can show is bytes.
enum WithoutLength {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: download)
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var status = 0
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    // begin unknown
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      expected = response.expectedContentLength
      received = 0
      if expected < 0 { print("length unknown, counting bytes") }  // ←
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }
    // end unknown

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
