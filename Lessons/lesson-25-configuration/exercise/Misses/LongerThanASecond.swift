// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A load may take 1.8 s.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    configuration.timeoutIntervalForResource = 1.8
    let session = URLSession(configuration: configuration)
    load(session, app)
    session.finishTasksAndInvalidate()
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
