// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Defective: a task for a session that was told to take no more.
enum TaskTooLate {
  static func run(_ app: ExampleContext) {
    let session = URLSession(configuration: .default)
    session.finishTasksAndInvalidate()
    session.dataTask(with: app.url).resume()
    app.runApplication()
  }
}
