// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same decisions for a task: the delegate gives its answer to a handler,
/// now or later.
enum RedirectedTask {
  static func following(_ app: ExampleContext) { load(app) { $0 } }

  static func refusing(_ app: ExampleContext) { load(app) { _ in nil } }

  static func rewriting(_ app: ExampleContext) {
    load(app) { _ in URLRequest(url: app.url("/1k")) }
  }

  typealias Answer = @Sendable (URLRequest) -> URLRequest?

  private static func load(_ app: ExampleContext, answer: @escaping Answer) {
    var request = URLRequest(url: app.url)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let session = URLSession(
      configuration: .default, delegate: Load(app, answer),
      delegateQueue: nil)
    session.dataTask(with: request).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Load: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    private let answer: Answer
    init(_ app: ExampleContext, _ answer: @escaping Answer) {
      (self.app, self.answer) = (app, answer)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      print("asked about a \(response.statusCode)")
      completionHandler(answer(request))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let http = task.response as? HTTPURLResponse
      if let error {
        print("failed: \((error as NSError).code)")
      } else {
        print("status \(http?.statusCode ?? 0)")
      }
      app.quit()
    }
  }
}
