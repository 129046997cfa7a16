// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download while the person scrolls for a second: the main loop runs in
/// the tracking mode then. Where is the connection scheduled?
enum LoadWhileTouched {
  /// Defective: started at once, and so in the default mode.
  static func inDefaultMode(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    app.runApplication()
  }

  /// Defective: scheduled in the common modes when it has already started.
  static func scheduledTooLate(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load)
    connection?.schedule(in: .current, forMode: .common)
    app.runApplication()
  }

  /// The cure: created without starting, scheduled, then started.
  static func inCommonModes(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load,
      startImmediately: false)
    connection?.schedule(in: .current, forMode: .common)
    connection?.start()
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private var received = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) bytes")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
