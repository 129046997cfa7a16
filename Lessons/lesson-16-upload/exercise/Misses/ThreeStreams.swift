// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Three streams are made ready and no more: right only as the body is sent exactly three times.
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
    private var streams: [InputStream]

    init(_ app: ExerciseContext, _ file: URL) {
      self.app = app
      streams = (1...3).compactMap { _ in InputStream(url: file) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      completionHandler(streams.popLast())
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
