// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The three loads come one after the other, each with a second of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    configuration.timeoutIntervalForResource = 1
    load(3, URLSession(configuration: configuration, delegate: nil, delegateQueue: .main), app)
    app.runApplication()
  }

  private static func load(_ left: Int, _ session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else { return app.quit() }
    session.dataTask(with: app.url) { _, _, error in
      if let error = error as? URLError { app.result("\(error.errorCode)") }
      load(left - 1, session, app)
    }.resume()
  }
}
