// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection holds its delegate until its end and lets go then. Nobody has
/// to tell it.
enum DelegateOfConnection {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Listener(app))
    app.runApplication()
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
  }
}
