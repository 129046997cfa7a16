// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A streamed upload by a task: the delegate brings each stream.
enum StreamByTask {
  static func run(_ app: ExampleContext) {
    guard let file = try? LargeFile.make(in: app.scratch) else { return }
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let session = URLSession(
      configuration: .ephemeral, delegate: Upload(app, file),
      delegateQueue: nil)
    session.uploadTask(withStreamedRequest: request).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Upload: NSObject, URLSessionTaskDelegate {
    private let app: ExampleContext
    private let file: URL
    init(_ app: ExampleContext, _ file: URL) {
      (self.app, self.file) = (app, file)
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler:
        @escaping @Sendable (InputStream?) -> Void
    ) {
      print("a new stream is asked for")
      completionHandler(InputStream(url: file))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (
          URLSession.AuthChallengeDisposition, URLCredential?
        ) -> Void
    ) {
      let credential = URLCredential(
        user: "lesson", password: "secret", persistence: .none)
      completionHandler(.useCredential, credential)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {}
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print(error.map { "failed: \(($0 as NSError).code)" } ?? "sent")
      app.quit()
    }
  }
}
