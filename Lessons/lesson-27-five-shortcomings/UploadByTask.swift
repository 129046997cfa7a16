// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// An upload task. Its progress is reported by the protocol for all tasks.
enum UploadByTask {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: .main)
    let body = Data(repeating: 120, count: 16 << 20)
    session.uploadTask(with: request, from: body).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionTaskDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var progress = 0.0

    init(_ app: ExampleContext) { self.app = app }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      progress = Double(totalBytesSent) / Double(totalBytesExpectedToSend)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let failure = error.map { "failed: \($0.localizedDescription)" }
      print(failure ?? "sent, progress \(progress)")
      app.quit()
    }
  }
}
