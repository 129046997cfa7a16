// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One connection in several places: the first loop that runs in one of its
/// modes takes the callback.
enum SeveralPlaces {
  /// Two modes of the main loop, by name.
  static func modes(_ app: ExampleContext) {
    let load = Load(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load,
      startImmediately: false)
    // begin modes
    connection?.schedule(in: .main, forMode: .default)
    connection?.schedule(in: .main, forMode: .tracking)  // ←
    // end modes
    connection?.start()
    app.runApplication()
  }

  /// The main loop while the person scrolls, and the loop of a thread that is
  /// busy with something else at that time.
  static func loops(_ app: ExampleContext) {
    Thread.detachNewThread {
      let load = Load(quit: app.quit)
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load,
        startImmediately: false)
      // begin loops
      connection?.schedule(in: .current, forMode: .default)
      connection?.schedule(in: .main, forMode: .tracking)  // ←
      // end loops
      connection?.start()
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.5))
      Thread.sleep(forTimeInterval: 1)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 10))
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let quit: () -> Void
    init(quit: @escaping () -> Void) { self.quit = quit }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}
    func connectionDidFinishLoading(_ connection: NSURLConnection) { quit() }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
