// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: what lies in memory can be sent as often as the server likes, and all of it lies in memory.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("upload")
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let body = (try? Data(contentsOf: file)) ?? Data()
    let session = URLSession(configuration: .ephemeral, delegate: Upload(app), delegateQueue: nil)
    session.uploadTask(with: request, from: body).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Upload: NSObject, URLSessionTaskDelegate {
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let credential = URLCredential(user: "lesson", password: "secret", persistence: .none)
      completionHandler(.useCredential, credential)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      print(error.map { "failed: \($0.localizedDescription)" } ?? "sent")
      app.quit()
    }
  }
}
