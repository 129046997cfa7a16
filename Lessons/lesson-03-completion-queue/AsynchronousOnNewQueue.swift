// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The queue-asynchronous call with a new queue: the handler runs on a thread
/// of that queue, where nothing may touch the screen.
enum AsynchronousOnNewQueue {
  /// Defective: updates the label where the handler happens to run.
  static func run(_ app: ExampleContext) {
    load(app) { text in
      print("label: \(text)")
      app.quit()
    }
  }

  /// The cure: goes to the main queue for the label, and for nothing else.
  static func hopping(_ app: ExampleContext) {
    load(app) { text in
      OperationQueue.main.addOperation {
        print("label: \(text)")
        app.quit()
      }
    }
  }

  private static func load(
    _ app: ExampleContext, show: @escaping @Sendable (String) -> Void
  ) {
    print("start")
    let request = URLRequest(url: app.url)
    NSURLConnection.sendAsynchronousRequest(
      request, queue: OperationQueue()
    ) {
      response, data, error in
      show("\(data?.count ?? 0) bytes")
    }
    print("the caller goes on")
    app.runApplication()
  }
}
