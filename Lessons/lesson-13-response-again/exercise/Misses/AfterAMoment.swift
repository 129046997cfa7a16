// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Takes a pause of a quarter of a second for the replacement: luck of timing in place of the response.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    private var latest = Date()

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      if latest.timeIntervalSinceNow < -0.25 { picture = Data() }
      latest = Date()
      picture.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? picture.write(to: app.scratch.appendingPathComponent("picture"))
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
