// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The queue-asynchronous call with the main queue: the caller goes on, the
/// handler comes back to the main thread.
enum AsynchronousOnMain {
  static func run(_ app: ExampleContext) {
    print("start")
    let request = URLRequest(url: app.url)
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      response, data, error in
      print("label: \(data?.count ?? 0) bytes")
      app.quit()
    }
    print("the caller goes on")
    app.runApplication()
  }
}
