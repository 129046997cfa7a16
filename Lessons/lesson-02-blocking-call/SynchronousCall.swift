// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The synchronous call: the thread that makes it waits until the whole body
/// is there.
enum SynchronousCall {
  /// Defective: on the main thread, where the application stands still
  /// meanwhile.
  static func onMain(_ app: ExampleContext) {
    // begin main
    load(URLRequest(url: app.url))  // ←
    // end main
  }

  /// The cure: on a thread made for it. That thread waits, the main one does
  /// not.
  static func onWorker(_ app: ExampleContext) {
    // begin worker
    Thread.detachNewThread {  // ←
      load(URLRequest(url: app.url))
      app.quit()
    }
    app.runApplication()
    // end worker
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
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { return print("failed: status \(status)") }
      print("received \(data.count) bytes")
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }
}
