// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Callbacks on a queue, and the progress sent on to the main thread.
enum ProgressToMain {
  /// Sent to main in the default mode: the bar stops during a touch.
  static func inDefaultMode(_ app: ExampleContext) {
    // begin default
    download(app) { moveBar in
      RunLoop.main.perform(inModes: [.default], block: moveBar)  // ←
    }
    // end default
  }

  /// Sent to the main queue, which is served in the common modes.
  static func onMainQueue(_ app: ExampleContext) {
    // begin main-queue
    download(app) { moveBar in
      DispatchQueue.main.async(execute: moveBar)  // ←
    }
    // end main-queue
  }

  typealias Sending = (@escaping @Sendable () -> Void) -> Void
  private static func download(
    _ app: ExampleContext, send: @escaping Sending
  ) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(send, app.quit),
      startImmediately: false)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private var received = 0
    private let send: Sending
    private let quit: @Sendable () -> Void
    init(_ send: @escaping Sending, _ quit: @escaping @Sendable () -> Void) {
      (self.send, self.quit) = (send, quit)
    }
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
      let sum = received
      send { print("bar: \(sum) bytes") }
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      send(quit)
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      send(quit)
    }
  }
}
