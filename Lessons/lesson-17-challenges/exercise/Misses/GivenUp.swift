// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Another end: after three guesses the task is cancelled, so nothing says that the server refused.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Login(), delegateQueue: nil)
    session.dataTask(with: app.url) { _, response, _ in
      app.result("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
      app.quit()
    }.resume()
    app.runApplication()
  }

  private final class Login: NSObject, URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Answer
    ) {
      let failures = challenge.previousFailureCount
      guard failures < passwords.count else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      let credential = URLCredential(user: "lesson", password: passwords[failures], persistence: .none)
      completionHandler(.useCredential, credential)
    }
  }
}
