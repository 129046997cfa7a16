// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: three guesses and an end, but all of them with the same password.
enum Exercise {
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
      guard challenge.previousFailureCount < 3 else { return completionHandler(.performDefaultHandling, nil) }
      completionHandler(.useCredential, URLCredential(user: "lesson", password: "guess", persistence: .none))
    }
  }
}
