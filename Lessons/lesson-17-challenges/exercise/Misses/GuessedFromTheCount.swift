// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands in 401 as soon as a fourth challenge comes and 200 else: a number of calls, not a status.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Login(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { _, response, error in
      app.result((session.delegate as? Login)?.isRefused == true ? "401" : "200")
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its method and the handler are called one at a time.
  private final class Login: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private(set) var isRefused = false

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Answer
    ) {
      let tried = challenge.previousFailureCount
      isRefused = tried >= passwords.count
      if isRefused { return completionHandler(.cancelAuthenticationChallenge, nil) }
      let credential = URLCredential(user: "lesson", password: passwords[tried], persistence: .none)
      completionHandler(.useCredential, credential)
    }
  }
}
