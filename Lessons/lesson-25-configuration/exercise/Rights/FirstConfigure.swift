// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The configuration is filled in before the session is made of it.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    configuration.timeoutIntervalForResource = 1
    load(URLSession(configuration: configuration), app)
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
