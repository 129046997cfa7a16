// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sets the label on the handler's thread as before and once more on main.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      let name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name ?? ""
      app.label = name
      DispatchQueue.main.async {
        app.label = name
        app.quit()
      }
    }
    task.resume()
    app.runApplication()
  }
}
