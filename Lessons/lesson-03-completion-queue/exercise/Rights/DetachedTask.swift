// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a detached task loads and parses; the main actor sets the label.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    Task.detached {
      do {
        let (data, _) = try await URLSession.shared.data(from: app.url)
        let name = try JSONDecoder().decode(Document.self, from: data).name
        await MainActor.run { app.label = name }
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
