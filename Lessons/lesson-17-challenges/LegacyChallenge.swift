// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The legacy methods, for a delegate that does not have the modern one.
enum LegacyChallenge {
  static func run(_ app: ExampleContext) {
    let request = URLRequest(url: app.url)
    _ = NSURLConnection(request: request, delegate: Login(app))
    app.runApplication()
  }

  private final class Login: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connectionShouldUseCredentialStorage(
      _ connection: NSURLConnection
    ) -> Bool {
      false
    }

    func connection(
      _ connection: NSURLConnection,
      canAuthenticateAgainstProtectionSpace space: URLProtectionSpace
    ) -> Bool {
      space.realm == "lesson"
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

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \((error as NSError).code)")
      app.quit()
    }
  }
}
