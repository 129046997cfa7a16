// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends nothing the first time, since the server redirects it, and the file each time after it.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("upload")
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let session = URLSession(configuration: .ephemeral, delegate: Upload(app, file), delegateQueue: nil)
    session.uploadTask(withStreamedRequest: request).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Upload: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private let file: URL
    private var sent = 0
    init(_ app: ExerciseContext, _ file: URL) { (self.app, self.file) = (app, file) }

    /// Called before the first sending, and before each further one.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      sent += 1
      completionHandler(sent == 1 ? InputStream(data: Data()) : InputStream(url: file))
    }

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
