// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task with a completion handler: the caller goes on at once, from
/// whatever thread the task is made.
enum HandlerCall {
  static func onMain(_ app: ExampleContext) {
    load(URLRequest(url: app.url), app)
    app.runApplication()
  }

  static func onWorker(_ app: ExampleContext) {
    Thread.detachNewThread {
      load(URLRequest(url: app.url), app)
    }
    app.runApplication()
  }

  /// The server never answers: the handler gets the error, nobody was held.
  static func impatient(_ app: ExampleContext) {
    load(
      URLRequest(
        url: app.url, cachePolicy: .useProtocolCachePolicy,
        timeoutInterval: 1), app)
    app.runApplication()
  }

  private static func load(_ request: URLRequest, _ app: ExampleContext) {
    print("start")
    let task = URLSession.shared.dataTask(with: request) { data, _, error in
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "received \(data?.count ?? 0) bytes")
      app.quit()
    }
    task.resume()
    print("the caller goes on")
  }
}
