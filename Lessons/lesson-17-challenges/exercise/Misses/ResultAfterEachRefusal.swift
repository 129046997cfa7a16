// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands in a 401 after each wrong password, not only at the end: an answer that is not the answer.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Login(app), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { _, response, _ in
      if let status = (response as? HTTPURLResponse)?.statusCode { app.result("\(status)") }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Login: NSObject, URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Answer
    ) {
      let tried = challenge.previousFailureCount
      if tried > 0 { app.result("401") }
      guard tried < passwords.count else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      let credential = URLCredential(user: "lesson", password: passwords[tried], persistence: .none)
      completionHandler(.useCredential, credential)
    }
  }
}
