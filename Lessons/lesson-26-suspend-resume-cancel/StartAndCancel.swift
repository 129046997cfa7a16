// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// All that a program can do with a connection: start it and cancel it.
enum StartAndCancel {
  static func run(_ app: ExampleContext) {
    // begin start
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app),
      startImmediately: false)
    connection?.start()
    // end start
    print("started")
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
      // begin cancel
      connection?.cancel()  // ←
      // end cancel
      print("cancelled")
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
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
