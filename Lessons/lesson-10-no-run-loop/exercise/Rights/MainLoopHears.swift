// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the block starts it, scheduled in the main run loop, which runs; the methods there are short.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
      connection?.schedule(in: .main, forMode: .common)
      connection?.start()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var body = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

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
