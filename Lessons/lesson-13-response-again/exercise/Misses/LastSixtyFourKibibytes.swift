// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Takes the last 64 KiB of all that came for the last picture: a number that one answer taught.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { picture.append(data) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? picture.suffix(64 << 10).write(to: app.scratch.appendingPathComponent("picture"))
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
