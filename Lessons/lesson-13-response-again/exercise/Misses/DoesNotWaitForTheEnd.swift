// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Ends as soon as the second picture has 48 KiB, the least that one has: the rest of it, and
/// another one that follows, are never heard.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    private var responses = 0

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      responses += 1
      picture = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      picture.append(data)
      guard responses == 2, picture.count >= 48 << 10 else { return }
      try? picture.write(to: app.scratch.appendingPathComponent("picture"))
      connection.cancel()
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
