// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The wrong one: takes the first picture and leaves when the second one begins.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      guard !picture.isEmpty else { return }
      try? picture.write(to: app.scratch.appendingPathComponent("picture"))
      connection.cancel()
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { picture.append(data) }
  }
}
