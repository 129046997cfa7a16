// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same servers and a data task. There is one end for success and
/// failure: `didCompleteWithError`, with or without an error.
enum EndOfTask {
  static func get(_ app: ExampleContext) { load("GET", app.url, app) }

  static func head(_ app: ExampleContext) { load("HEAD", app.url, app) }

  static func unsupported(_ app: ExampleContext) {
    if let url = URL(string: "gopher://127.0.0.1/") { load("GET", url, app) }
  }

  private static func load(
    _ method: String, _ url: URL, _ app: ExampleContext
  ) {
    var request = URLRequest(url: url)
    request.timeoutInterval = 1
    request.httpMethod = method
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: request).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the delegate queue is the main one.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var receivedData = Data()
    init(_ app: ExampleContext) { self.app = app }
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      receivedData.append(data)
    }

    // begin end
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      if let error {
        print("failed: \(error.localizedDescription)")
        receivedData.removeAll()  // ←
      } else {
        print("finished with \(receivedData.count) bytes")
      }
      app.quit()
    }
    // end end
  }
}
