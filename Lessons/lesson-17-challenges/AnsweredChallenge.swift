// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A delegate that has the modern method, and a legacy one as well.
enum AnsweredChallenge {
  static func rightPassword(_ app: ExampleContext) {
    load(app, password: "secret")
  }
  static func wrongPassword(_ app: ExampleContext) {
    load(app, password: "guess")
  }

  private static func load(_ app: ExampleContext, password: String) {
    let login = Login(app, password)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: login)
    app.runApplication()
  }
  private final class Login: NSObject, NSURLConnectionDataDelegate {
    private let (app, password): (ExampleContext, String)
    init(_ app: ExampleContext, _ password: String) {
      (self.app, self.password) = (app, password)
    }
    // begin counted
    func connection(
      _ connection: NSURLConnection,
      willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
      guard challenge.previousFailureCount < 3 else {  // ←
        challenge.sender?.cancel(challenge)
        return
      }
      let credential = URLCredential(
        user: "lesson", password: password, persistence: .none)
      challenge.sender?.use(credential, for: challenge)
    }
    // end counted
    func connection(
      _ connection: NSURLConnection,
      didReceive challenge: URLAuthenticationChallenge
    ) {
      print("the legacy method was called")
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
