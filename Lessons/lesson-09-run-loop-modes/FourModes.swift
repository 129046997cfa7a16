// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection in the common modes, while the main loop runs in each of the
/// four modes that note N4 lists, 0.4 s in each.
enum FourModes {
  static func run(_ app: ExampleContext) {
    let load = Load(app)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: load,
      startImmediately: false)
    // begin four
    connection?.schedule(in: .main, forMode: .common)
    connection?.start()
    for mode in [
      RunLoop.Mode.default, RunLoop.Mode("NSConnectionReplyMode"),
      RunLoop.Mode("NSModalPanelRunLoopMode"), RunLoop.Mode.tracking,
    ] {
      let before = load.pieces
      stay(in: mode, for: 0.4)  // ←
      print("\(mode.rawValue): \(load.pieces - before) pieces of data")
    }
    // end four
    app.runApplication()
  }

  /// A loop with nothing in a mode does not wait in it: sleep instead.
  private static func stay(in mode: RunLoop.Mode, for seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    while end.timeIntervalSinceNow > 0 {
      let hasRun = RunLoop.main.run(mode: mode, before: end)
      if !hasRun { Thread.sleep(until: end) }
    }
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private(set) var pieces = 0
    init(_ app: ExampleContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      pieces += 1
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
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
