// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same servers and a data task. There is one end for success and
/// failure: `didCompleteWithError`, with or without an error.
enum EndOfTask {
  static func get(_ app: ExampleContext) { load("GET", app.url, app) }

  static func head(_ app: ExampleContext) { load("HEAD", app.url, app) }

  static func cancelled(_ app: ExampleContext) {
    load("GET", app.url, app, cancels: true)
  }

  static func unsupported(_ app: ExampleContext) {
    if let url = URL(string: "gopher://127.0.0.1/") {
      load("GET", url, app)
    }
  }

  private static func load(
    _ method: String, _ url: URL, _ app: ExampleContext,
    cancels: Bool = false
  ) {
    var request = URLRequest(url: url)
    request.timeoutInterval = 1
    request.httpMethod = method
    let session = URLSession(
      configuration: .default, delegate: Load(app, cancels),
      delegateQueue: .main)
    session.dataTask(with: request).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Load: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    private let cancels: Bool
    init(_ app: ExampleContext, _ cancels: Bool) {
      (self.app, self.cancels) = (app, cancels)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      if cancels { dataTask.cancel() }
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print(
        error.map { "failed: \($0.localizedDescription)" } ?? "finished")
      app.quit()
    }
  }
}
