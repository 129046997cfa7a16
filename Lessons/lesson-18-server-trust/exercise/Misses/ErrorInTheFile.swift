// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Keeps what it can of a refusal: the error's text goes into `download`, as if it were the body.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      try? (data ?? Data((error?.localizedDescription ?? "").utf8)).write(to: file)
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
