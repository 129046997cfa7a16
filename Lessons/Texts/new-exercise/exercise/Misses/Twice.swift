// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: the document is loaded a second time to be decoded.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    URLSession.shared.dataTask(with: app.url) { _, _, _ in
      URLSession.shared.dataTask(with: app.url) { data, _, _ in
        let document = data.flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
        app.result(document?.name ?? "")
        app.quit()
      }.resume()
    }.resume()
    app.runApplication()
  }
}
