// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The initializer that does not start: nothing is sent for a second, until
/// the program calls `start()`.
enum ConnectionNotStarted {
  static func run(_ app: ExampleContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app),
      startImmediately: false)
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      print("now")
      connection?.start()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private var status = 0
    private var body = Data()
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let isRight = status == 200
      print(
        isRight ? "received \(body.count) bytes" : "failed: status \(status)")
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
