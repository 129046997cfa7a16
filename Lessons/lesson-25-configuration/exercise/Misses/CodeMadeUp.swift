// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// After a second all is cancelled (-999), and the code that is asked for is handed in by hand.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    let session = URLSession(configuration: configuration)
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { session.invalidateAndCancel() }
    load(session, app)
    app.runApplication()
  }

  /// Loads `app.url` three times at once, and hands in the code of an error.
  static func load(_ session: URLSession, _ app: ExerciseContext) {
    let loads = DispatchGroup()
    for _ in 1...3 {
      loads.enter()
      session.dataTask(with: app.url) { _, _, error in
        if error != nil { app.result("-1001") }
        loads.leave()
      }.resume()
    }
    loads.notify(queue: .main) { app.quit() }
  }
}
