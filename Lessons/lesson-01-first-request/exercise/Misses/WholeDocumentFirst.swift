// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands in the whole document and only then the name.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    URLSession.shared.dataTask(with: app.url) { data, _, error in
      if let data {
        app.result(String(decoding: data, as: UTF8.self))
        if let document = try? JSONDecoder().decode(Document.self, from: data) { app.result(document.name) }
      } else {
        print("failed: \(error?.localizedDescription ?? "no data")")
      }
      app.quit()
    }.resume()
    app.runApplication()
  }
}
