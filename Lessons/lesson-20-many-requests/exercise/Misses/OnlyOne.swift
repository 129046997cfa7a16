// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right output by cheating: loads once and says two hundred.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    URLSession.shared.dataTask(with: app.url) { _, _, _ in
      app.result("200")
      app.quit()
    }.resume()
    app.runApplication()
  }
}
