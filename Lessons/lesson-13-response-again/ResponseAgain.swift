// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A camera's page: the server replaces its answer twice. Each part comes as
/// a response of its own, and the data before it is dropped.
enum ResponseAgain {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var receivedData = Data()
    private var status = 0
    init(_ app: ExampleContext) { self.app = app }

    // begin response
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("response, after \(receivedData.count) bytes")
      receivedData.removeAll()  // ←
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }
    // end response

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receivedData.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      do {
        guard status == 200 else { throw URLError(.badServerResponse) }
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
