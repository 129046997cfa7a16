// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the JSON document at `app.url` and shows the name in it as `app.label`: parsed on the session's queue, set on
/// the main thread.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      do {
        guard let data else { throw error ?? URLError(.unknown) }
        let name = try JSONDecoder().decode(Document.self, from: data).name
        DispatchQueue.main.async {
          app.label = name
          app.quit()
        }
      } catch {
        print("failed: \(error.localizedDescription)")
        app.quit()
      }
    }
    task.resume()
    app.runApplication()
  }
}
