// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads `app.url`, which asks for a password, and hands in the status of the answer. One of three passwords may be right.
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
      // TODO: the same password is tried again and again. Mend it: each one once, then an end.
      let credential = URLCredential(user: "lesson", password: passwords[0], persistence: .none)
      completionHandler(.useCredential, credential)
    }
  }
}
