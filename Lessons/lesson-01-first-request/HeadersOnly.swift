// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// HEAD asks for what GET would answer, without the body: its size, for
/// instance.
enum HeadersOnly {
  static func run(_ app: ExampleContext) {
    // begin head
    var request = URLRequest(url: app.url)
    request.httpMethod = "HEAD"  // ←
    _ = NSURLConnection(request: request, delegate: Load(app))
    // end head
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      let length = response.expectedContentLength
      if status != 200 {
        print("failed: status \(status)")
      } else if length < 0 {
        print("the server does not say how long the body is")
      } else {
        print("the body would have \(length) bytes")
      }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      print("data came: \(data.count) bytes")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
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
