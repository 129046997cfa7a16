// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: an asynchronous function awaits the body, in a Swift task.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task.detached {
      do {
        let (data, _) = try await URLSession.shared.data(from: app.url)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        if let name = object?["name"] as? String { app.result(name) }
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
