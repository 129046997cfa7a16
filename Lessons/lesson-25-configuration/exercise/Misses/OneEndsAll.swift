// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One load alone is limited. Its end takes the others with it, which are cancelled (-999) and say nothing.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    let patient = URLSession(configuration: configuration)
    configuration.timeoutIntervalForResource = 1
    let hasty = URLSession(configuration: configuration)
    let loads = DispatchGroup()
    for session in [hasty, patient, patient] {
      loads.enter()
      session.dataTask(with: app.url) { _, _, error in
        if let error = error as? URLError, error.code != .cancelled { app.result("\(error.errorCode)") }
        if session === hasty, error != nil { patient.invalidateAndCancel() }
        loads.leave()
      }.resume()
    }
    loads.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
