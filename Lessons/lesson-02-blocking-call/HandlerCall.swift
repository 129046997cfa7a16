// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task with a completion handler: the call returns at once, on any
/// thread.
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

  /// The server never answers: the handler gets the error, no thread waited.
  static func impatient(_ app: ExampleContext) {
    load(
      URLRequest(
        url: app.url, cachePolicy: .useProtocolCachePolicy,
        timeoutInterval: 1), app)
    app.runApplication()
  }

  private static func load(_ request: URLRequest, _ app: ExampleContext) {
    print("start")
    // begin handler
    let task = URLSession.shared.dataTask(with: request) {
      data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        print("received \(data.count) bytes")
      } else {
        let why = error?.localizedDescription ?? "status \(status)"
        print("failed: \(why)")
      }
      app.quit()
    }
    task.resume()
    print("the caller goes on")  // ←
    // end handler
  }
}
