// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: the network thread has no port. Its loop is empty, `run()`
/// returns at once, and the work that is handed to it is never done.
enum ThreadWithoutPort {
  static func run(_ app: ExampleContext) {
    let thread = NetworkThread(hasPort: false) { print("the thread ends") }
    Thread.sleep(forTimeInterval: 0.2)
    print("work is handed over")
    thread.perform {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: nil)
      print("connection \(connection == nil ? "not " : "")created")
      app.quit()
    }
    app.runApplication()
  }
}
