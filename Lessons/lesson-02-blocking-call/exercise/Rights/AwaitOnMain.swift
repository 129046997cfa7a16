// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a task on the main actor awaits the body; main is free while it waits.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    Task { @MainActor in
      do {
        let (data, _) = try await URLSession.shared.data(from: app.url)
        app.result(try JSONDecoder().decode(Document.self, from: data).name)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
