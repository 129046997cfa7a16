// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Defective: a task for a session that has been invalidated.
enum TaskTooLate {
  static func run(_ app: ExampleContext) {
    // begin late
    let session = URLSession(configuration: .default)
    session.finishTasksAndInvalidate()
    session.dataTask(with: app.url).resume()  // ←
    // end late
    app.runApplication()
  }
}
