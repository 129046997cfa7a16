// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// During the touch the bar is set again and again, to the value that it has.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
    connection?.schedule(in: .main, forMode: .common)
    connection?.start()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var expected = 0
    private var shown = 0
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      if RunLoop.main.currentMode != .tracking { shown = body.count }
      if expected > 0 { app.progress(Double(shown) / Double(expected)) }
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
