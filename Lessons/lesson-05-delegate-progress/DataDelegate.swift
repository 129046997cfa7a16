// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Progress from a data task, counted by hand as with a connection. No queue
/// is given, so the session makes one.
enum DataDelegate {
  static func run(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let session = URLSession(
      configuration: .default, delegate: load, delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private var received: Int64 = 0
    private let quit: @Sendable () -> Void

    init(quit: @escaping @Sendable () -> Void) {
      self.quit = quit
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler:
        @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let status = (response as? HTTPURLResponse)?.statusCode
      completionHandler(status == 200 ? .allow : .cancel)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      received += Int64(data.count)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let expected = task.countOfBytesExpectedToReceive
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "received \(received) of \(expected) bytes")
      quit()
    }
  }
}
