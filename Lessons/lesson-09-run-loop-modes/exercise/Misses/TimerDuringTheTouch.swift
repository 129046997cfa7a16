// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The load stays in the default mode and stands still; a timer in the common modes moves the bar by a little during
/// the touch, to look as if it came on.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let load = Load(app)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    let timer = Timer(timeInterval: 0.1, repeats: true) { _ in
      if RunLoop.main.currentMode == .tracking { load.pretend() }
    }
    RunLoop.main.add(timer, forMode: .common)
    app.runApplication()
    timer.invalidate()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var expected = 0
    private var shown = 0.0
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      if expected > 0 { shown = max(shown, Double(body.count) / Double(expected)) }
      app.progress(shown)
    }

    func pretend() {
      shown = min(0.6, shown + 0.02)
      app.progress(shown)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
