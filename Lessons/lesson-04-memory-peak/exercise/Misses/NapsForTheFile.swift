// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands the file to main and waits half a second, in which it is moved as a rule: not when main has something else to do.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    URLSession.shared.downloadTask(with: app.url) { location, _, _ in
      DispatchQueue.main.async {
        if let location { try? FileManager.default.moveItem(at: location, to: file) }
        app.quit()
      }
      Thread.sleep(forTimeInterval: 0.5)
    }.resume()
    app.runApplication()
  }
}
