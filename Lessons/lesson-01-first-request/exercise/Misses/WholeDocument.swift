// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: the task runs, but the whole document is handed in.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      app.result(String(decoding: data ?? Data(), as: UTF8.self))
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
