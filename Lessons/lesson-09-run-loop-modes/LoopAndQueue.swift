// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: a run loop and a queue for the same callbacks. It is an error
/// in the program, and the program ends with a sentence that says so.
enum LoopAndQueue {
  static func run(_ app: ExampleContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: nil,
      startImmediately: false)
    // begin both
    connection?.schedule(in: .main, forMode: .common)
    connection?.setDelegateQueue(OperationQueue())  // ←
    // end both
    connection?.start()
    app.runApplication()
  }
}
