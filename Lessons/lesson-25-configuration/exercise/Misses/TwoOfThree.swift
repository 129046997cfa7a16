// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Two loads are over after a second, the third is not limited at all.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    let patient = URLSession(configuration: configuration)
    configuration.timeoutIntervalForResource = 1
    let hasty = URLSession(configuration: configuration)
    let loads = DispatchGroup()
    for session in [hasty, hasty, patient] {
      loads.enter()
      session.dataTask(with: app.url) { _, _, error in
        if let error = error as? URLError { app.result("\(error.errorCode)") }
        loads.leave()
      }.resume()
    }
    loads.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
