// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection starts when it is created, can be cancelled until its last
/// message, and loads once.
enum OneLife {
  /// Cancelled in the middle by the person who waits: nothing follows.
  static func cancelled(_ app: ExampleContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
      print("cancelled")
      connection?.cancel()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    app.runApplication()
  }

  /// Defective: started again after its end, to load once more.
  static func startedAgain(_ app: ExampleContext) {
    // begin again
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
    connection?.start()  // ←
    // end again
    print("started again")
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
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
