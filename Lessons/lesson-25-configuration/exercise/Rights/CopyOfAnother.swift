// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Takes the copy that the first session gives away, changes it, and makes a second session.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let first = URLSession(configuration: .ephemeral)
    let configuration = first.configuration
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    configuration.timeoutIntervalForResource = 1
    let session = URLSession(configuration: configuration)
    first.invalidateAndCancel()
    load(session, app)
    app.runApplication()
  }

  /// Loads `app.url` three times at once, and hands in the code of an error.
  static func load(_ session: URLSession, _ app: ExerciseContext) {
    let loads = DispatchGroup()
    for _ in 1...3 {
      loads.enter()
      session.dataTask(with: app.url) { _, _, error in
        if let error = error as? URLError { app.result("\(error.errorCode)") }
        loads.leave()
      }.resume()
    }
    loads.notify(queue: .main) { app.quit() }
  }
}
