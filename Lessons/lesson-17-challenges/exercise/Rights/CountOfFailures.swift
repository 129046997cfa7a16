// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the count of failures picks the password; then the default, which is the server's refusal.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Login(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { _, response, error in
      if let status = (response as? HTTPURLResponse)?.statusCode {
        app.result("\(status)")
      } else {
        print("failed: \(error?.localizedDescription ?? "no response")")
      }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Login: NSObject, URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Answer
    ) {
      let tried = challenge.previousFailureCount
      guard tried < passwords.count else { return completionHandler(.performDefaultHandling, nil) }
      let credential = URLCredential(user: "lesson", password: passwords[tried], persistence: .none)
      completionHandler(.useCredential, credential)
    }
  }
}
