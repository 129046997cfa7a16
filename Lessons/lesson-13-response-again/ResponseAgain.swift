// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A server that replaces its answer twice, as a camera does with its
/// picture. Each part comes as a response of its own, with its data behind
/// it.
enum ResponseAgain {
  /// The data so far is dropped when a response comes.
  static func resetting(_ app: ExampleContext) {
    load(app, resets: true)
  }

  /// Defective: everything is joined, as if there were one response.
  static func joining(_ app: ExampleContext) {
    load(app, resets: false)
  }

  private static func load(_ app: ExampleContext, resets: Bool) {
    let load = Load(app, resets)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let resets: Bool
    private var receivedData = Data()
    init(_ app: ExampleContext, _ resets: Bool) {
      (self.app, self.resets) = (app, resets)
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      if resets { receivedData.removeAll() }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receivedData.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("the document has \(receivedData.count) bytes")
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
