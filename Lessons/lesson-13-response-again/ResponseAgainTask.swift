// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same page and a data task: the data before a response is dropped.
enum ResponseAgainTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var receivedData = Data()
    init(_ app: ExampleContext) { self.app = app }

    // begin response
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler answer:
        @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      print("response, after \(receivedData.count) bytes")
      receivedData.removeAll()  // ←
      let status = (response as? HTTPURLResponse)?.statusCode
      answer(status == 200 ? .allow : .cancel)
    }
    // end response

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
      do {
        if let error { throw error }
        try receivedData.write(
          to: app.scratch.appendingPathComponent("picture"))
        print("the picture has \(receivedData.count) bytes")
      } catch { print("failed: \(error.localizedDescription)") }
      app.quit()
    }
  }
}
