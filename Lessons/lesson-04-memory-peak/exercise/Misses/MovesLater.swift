// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Moves the download on main after the handler has returned, when the session may already have removed it: luck of
/// timing.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    URLSession.shared.downloadTask(with: app.url) { location, _, _ in
      DispatchQueue.main.async {
        if let location { try? FileManager.default.moveItem(at: location, to: file) }
        app.quit()
      }
    }.resume()
    app.runApplication()
  }
}
