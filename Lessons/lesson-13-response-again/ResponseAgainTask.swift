// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same server and a data task.
enum ResponseAgainTask {
  static func resetting(_ app: ExampleContext) { load(app, resets: true) }

  /// Defective: everything is joined, as if there were one response.
  static func joining(_ app: ExampleContext) { load(app, resets: false) }

  private static func load(_ app: ExampleContext, resets: Bool) {
    let session = URLSession(
      configuration: .default, delegate: Load(app, resets),
      delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private let resets: Bool
    private var receivedData = Data()
    init(_ app: ExampleContext, _ resets: Bool) {
      (self.app, self.resets) = (app, resets)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler:
        @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if resets { receivedData.removeAll() }
      completionHandler(.allow)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      receivedData.append(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print("the document has \(receivedData.count) bytes")
      app.quit()
    }
  }
}
