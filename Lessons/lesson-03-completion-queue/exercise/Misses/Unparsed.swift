// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: the label is set on main, to the whole document.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      let text = String(decoding: data ?? Data(), as: UTF8.self)
      DispatchQueue.main.async {
        app.label = text
        app.quit()
      }
    }
    task.resume()
    app.runApplication()
  }
}
