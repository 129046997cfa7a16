// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The queue-asynchronous call with the main queue: the caller goes on, the
/// handler comes back to the main thread.
enum AsynchronousOnMain {
  static func run(_ app: ExampleContext) {
    let label = ScreenLabel()
    print("start")
    let request = URLRequest(url: app.url)
    // begin main-queue
    NSURLConnection.sendAsynchronousRequest(
      request, queue: .main  // ←
    ) { response, data, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        label.show("\(data.count) bytes")
      } else {
        label.show(error?.localizedDescription ?? "status \(status)")
      }
      app.quit()
    }
    print("the caller goes on")
    // end main-queue
    app.runApplication()
  }
}
