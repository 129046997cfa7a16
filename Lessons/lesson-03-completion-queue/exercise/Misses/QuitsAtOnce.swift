// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends the label to main and quits right away from the handler: whether main still gets to it is luck of timing.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      if let document = try? JSONDecoder().decode(Document.self, from: data ?? Data()) {
        DispatchQueue.main.async { app.label = document.name }
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
