// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: only the first request gets the field.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 1
    load(URLSession(configuration: configuration), app)
    app.runApplication()
  }

  /// Loads `app.url` three times at once, and hands in the code of an error.
  static func load(_ session: URLSession, _ app: ExerciseContext) {
    let loads = DispatchGroup()
    for number in 1...3 {
      var request = URLRequest(url: app.url)
      if number == 1 { request.setValue("run-loops", forHTTPHeaderField: "X-Course") }
      loads.enter()
      session.dataTask(with: request) { _, _, error in
        if let error = error as? URLError { app.result("\(error.errorCode)") }
        loads.leave()
      }.resume()
    }
    loads.notify(queue: .main) { app.quit() }
  }
}
