// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection holds its delegate until its end and releases it then. The
/// program does nothing for it.
enum DelegateOfConnection {
  static func run(_ app: ExampleContext) {
    // begin delegate
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Listener(app))
    app.runApplication()
    // end delegate
  }

  private final class Listener: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    deinit {
      print("delegate released")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("connection ended")
      DispatchQueue.main.asyncAfter(
        deadline: .now() + 0.5, execute: app.quit)
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("connection failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
