// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The bar shows how much of 1.5 s has passed, not how much has come: the length of the load is guessed.
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
    private let began = Date()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      let part = min(1, -began.timeIntervalSinceNow / 1.5)
      if expected > 0 { app.progress(body.count == expected ? 1 : part) }
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
