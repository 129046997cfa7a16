// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: an asynchronous download in a Swift task, moved when it is there.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    Task.detached {
      do {
        let (location, _) = try await URLSession.shared.download(from: app.url)
        try FileManager.default.moveItem(at: location, to: file)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
