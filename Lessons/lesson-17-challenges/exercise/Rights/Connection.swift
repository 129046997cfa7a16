// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: an NSURLConnection; its delegate answers each challenge, and in the end goes on without.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Login(app))
    app.runApplication()
  }

  private final class Login: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var status: Int?
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
      let tried = challenge.previousFailureCount
      guard tried < passwords.count else {
        challenge.sender?.continueWithoutCredential(for: challenge)
        return
      }
      let credential = URLCredential(user: "lesson", password: passwords[tried], persistence: .none)
      challenge.sender?.use(credential, for: challenge)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      status = (response as? HTTPURLResponse)?.statusCode
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      if let status { app.result("\(status)") }
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
