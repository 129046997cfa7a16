// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A delegate that has none of the methods for challenges.
enum WithoutMethods {
  static func run(_ app: ExampleContext) {
    let request = URLRequest(url: app.url)
    _ = NSURLConnection(request: request, delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \((error as NSError).code)")
      app.quit()
    }
  }
}
