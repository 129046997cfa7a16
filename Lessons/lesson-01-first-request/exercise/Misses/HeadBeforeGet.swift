// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends a HEAD first and the GET in its handler: one GET, but two requests.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    URLSession.shared.dataTask(with: head) { _, _, _ in
      URLSession.shared.dataTask(with: app.url) { data, _, error in
        if let data, let document = try? JSONDecoder().decode(Document.self, from: data) {
          app.result(document.name)
        } else {
          print("failed: \(error?.localizedDescription ?? "no data")")
        }
        app.quit()
      }.resume()
    }.resume()
    app.runApplication()
  }
}
