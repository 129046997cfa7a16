// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Each picture is kept in a file of its own, and the last one once more: not “only the last”.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    private var number = 0

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      if number > 0 { try? picture.write(to: app.scratch.appendingPathComponent("picture-\(number)")) }
      number += 1
      picture = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { picture.append(data) }

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
