// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: answers each challenge with the same wrong password.
enum EndlessChallenge {
  static func run(_ app: ExampleContext) {
    let login = Login(app)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: login)
    app.runApplication()
  }

  private final class Login: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    // begin endless
    func connection(
      _ connection: NSURLConnection,
      willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
      let credential = URLCredential(
        user: "lesson", password: "guess", persistence: .none)
      challenge.sender?.use(credential, for: challenge)  // ←
    }
    // end endless

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
