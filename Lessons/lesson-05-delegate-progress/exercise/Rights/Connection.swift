// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a connection on main's run loop; the response says whether the length is known.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var body = Data()
    private var length: Int64 = -1
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      body = Data()
      length = response.expectedContentLength
      app.progress(0)
      if length < 0 { app.label = "unknown" }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      if length > 0 { app.progress(Double(body.count) / Double(length)) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      do {
        try body.write(to: app.scratch.appendingPathComponent("download"))
        app.progress(1)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
