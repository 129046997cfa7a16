// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: the same page, and everything is joined, as if there were one
/// response.
enum JoinedResponses {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var receivedData = Data()
    init(_ app: ExampleContext) { self.app = app }

    // begin response
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("response, after \(receivedData.count) bytes")
    }
    // end response

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receivedData.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      do {
        let file = app.scratch.appendingPathComponent("picture")
        try receivedData.write(to: file)
        print("the picture has \(receivedData.count) bytes")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
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
