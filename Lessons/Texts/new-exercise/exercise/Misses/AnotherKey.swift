// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: the document is decoded, but another value of it is handed in.
enum Exercise {
  struct Document: Decodable {
    var length: Int
  }

  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      let document = data.flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
      app.result("\(document?.length ?? 0)")
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
