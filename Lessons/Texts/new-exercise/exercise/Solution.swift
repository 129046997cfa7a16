// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the JSON document at `app.url`, such as {"name":"bano-7","length":6}, and hands in the name.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      do {
        guard let data else { throw error ?? URLError(.unknown) }
        app.result(try JSONDecoder().decode(Document.self, from: data).name)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
