// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: an upload task from the file, which the session reads anew as often as it must.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("upload")
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let session = URLSession(configuration: .ephemeral, delegate: Upload(app, file), delegateQueue: nil)
    session.uploadTask(with: request, fromFile: file).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Upload: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    init(_ app: ExerciseContext, _ file: URL) { self.app = app }

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
