// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Too much: what was collected is thrown away with every piece of data.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { picture = data.prefix(1024) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? picture.write(to: app.scratch.appendingPathComponent("picture"))
      app.quit()
    }
  }
}
