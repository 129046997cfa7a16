// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The synchronous call: whoever makes it waits until the whole body is
/// there.
enum SynchronousCall {
  /// On the main thread: the application answers nobody meanwhile.
  static func onMain(_ app: ExampleContext) {
    load(URLRequest(url: app.url))
  }

  /// The cure: on a thread made for it. That thread waits, the main one does
  /// not.
  static func onWorker(_ app: ExampleContext) {
    Thread.detachNewThread {
      load(URLRequest(url: app.url))
      app.quit()
    }
    app.runApplication()
  }

  /// The server never answers. All that ends the wait is the time-out.
  static func impatient(_ app: ExampleContext) {
    load(
      URLRequest(
        url: app.url, cachePolicy: .useProtocolCachePolicy,
        timeoutInterval: 1))
  }

  private static func load(_ request: URLRequest) {
    print("start")
    var response: URLResponse?
    do {
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: &response)
      print("received \(data.count) bytes")
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }
}
