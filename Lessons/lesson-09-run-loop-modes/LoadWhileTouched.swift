// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download while the person scrolls for a second: the main loop runs in
/// the tracking mode then. Where is the connection scheduled?
enum LoadWhileTouched {
  /// Defective: started at once, and so in the default mode.
  static func inDefaultMode(_ app: ExampleContext) {
    // begin at-once
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))  // ←
    // end at-once
    app.runApplication()
  }

  /// Defective: scheduled in the common modes when it has already started.
  static func scheduledTooLate(_ app: ExampleContext) {
    // begin too-late
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    connection?.schedule(in: .current, forMode: .common)  // ←
    // end too-late
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var received = 0
    init(_ app: ExampleContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) bytes")
      app.quit()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
