// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: a second task does what the first one should have done, and both are started.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    URLSession.shared.dataTask(with: app.url) { _, _, _ in
      URLSession.shared.dataTask(with: app.url) { data, _, _ in
        let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        app.result(object?["name"] as? String ?? "")
        app.quit()
      }.resume()
    }.resume()
    app.runApplication()
  }
}
