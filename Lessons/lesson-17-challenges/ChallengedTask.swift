// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A task's delegate answers with a disposition, now or later.
enum ChallengedTask {
  static func rightPassword(_ app: ExampleContext) {
    load(app, .useCredential)
  }

  /// Leaves it to the system, which knows no credential: the 401 comes back.
  static func byDefault(_ app: ExampleContext) {
    load(app, .performDefaultHandling)
  }

  /// Refuses: the task ends with an error.
  static func cancelling(_ app: ExampleContext) {
    load(app, .cancelAuthenticationChallenge)
  }
  typealias Disposition = URLSession.AuthChallengeDisposition

  private static func load(_ app: ExampleContext, _ answer: Disposition) {
    let session = URLSession(
      configuration: .ephemeral, delegate: Login(app, answer),
      delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Login: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    private let answer: Disposition
    init(_ app: ExampleContext, _ answer: Disposition) {
      (self.app, self.answer) = (app, answer)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (Disposition, URLCredential?) -> Void
    ) {
      let credential = URLCredential(
        user: "lesson", password: "secret", persistence: .none)
      completionHandler(answer, answer == .useCredential ? credential : nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let response = task.response as? HTTPURLResponse
      let end = error.map { "failed: \(($0 as NSError).code)" }
      print(end ?? "status \(response?.statusCode ?? 0)")
      app.quit()
    }
  }
}
