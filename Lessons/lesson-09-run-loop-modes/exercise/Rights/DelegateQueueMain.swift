// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the delegate is called on the main operation queue, which the loop serves in all common modes.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
    connection?.setDelegateQueue(.main)
    connection?.start()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var expected = 0
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      if expected > 0 { app.progress(Double(body.count) / Double(expected)) }
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
