// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The queue-asynchronous call with a new queue: the handler runs on a thread
/// of that queue, where nothing may touch the screen.
enum AsynchronousOnNewQueue {
  /// Defective: changes the label where the handler happens to run.
  static func run(_ app: ExampleContext) {
    let label = ScreenLabel()
    // begin direct
    load(app) { text in
      label.show(text)  // ←
      app.quit()
    }
    // end direct
  }

  /// The cure: goes to the main queue for the label, and for nothing else.
  static func hopping(_ app: ExampleContext) {
    let label = ScreenLabel()
    // begin hop
    load(app) { text in
      OperationQueue.main.addOperation {  // ←
        label.show(text)
        app.quit()
      }
    }
    // end hop
  }

  private static func load(
    _ app: ExampleContext, then use: @escaping @Sendable (String) -> Void
  ) {
    print("start")
    NSURLConnection.sendAsynchronousRequest(
      URLRequest(url: app.url), queue: OperationQueue()
    ) { response, data, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        use("\(data.count) bytes")
      } else {
        use(error?.localizedDescription ?? "status \(status)")
      }
    }
    print("the caller goes on")
    app.runApplication()
  }
}
