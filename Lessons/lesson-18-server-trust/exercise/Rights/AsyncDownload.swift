// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: async download through a session without a judge of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      do {
        let (location, _) = try await URLSession.shared.download(from: app.url)
        try FileManager.default.moveItem(at: location, to: app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
