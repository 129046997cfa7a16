// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One session and completion handlers; each starts the next load.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    load(100, 0, URLSession(configuration: configuration, delegate: nil, delegateQueue: .main), app)
    app.runApplication()
  }

  private static func load(_ left: Int, _ total: Int, _ session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else {
      session.finishTasksAndInvalidate()
      app.result("\(total / 100)")
      return app.quit()
    }
    session.dataTask(with: app.url) { data, _, error in
      if let error { print("failed: \(error.localizedDescription)") }
      load(left - 1, total + (data ?? Data()).reduce(0) { $0 + Int($1) }, session, app)
    }.resume()
  }
}
