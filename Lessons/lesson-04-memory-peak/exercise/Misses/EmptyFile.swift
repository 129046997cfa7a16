// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A download task, but nothing moves its file: it is gone when the handler returns.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.downloadTask(with: app.url) { location, _, _ in
      print("loaded to \(location?.path ?? "nowhere")")
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
