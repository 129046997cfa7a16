// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The methods from before: may it ask, and what is the answer. They are
/// called where the delegate does not have the one of today.
enum LegacyChallenge {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Login(app))
    app.runApplication()
  }

  private final class Login: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connectionShouldUseCredentialStorage(
      _ connection: NSURLConnection
    ) -> Bool {
      false
    }

    func connection(
      _ connection: NSURLConnection,
      canAuthenticateAgainstProtectionSpace protectionSpace:
        URLProtectionSpace
    ) -> Bool {
      protectionSpace.realm == "lesson"
    }

    func connection(
      _ connection: NSURLConnection,
      didReceive challenge: URLAuthenticationChallenge
    ) {
      let credential = URLCredential(
        user: "lesson", password: "secret", persistence: .none)
      challenge.sender?.use(credential, for: challenge)
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }
  }
}
