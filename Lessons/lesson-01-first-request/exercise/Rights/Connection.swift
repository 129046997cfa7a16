// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: NSURLConnection's asynchronous request with a handler on the main queue.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: .main) { _, data, error in
      if let data, let document = try? JSONDecoder().decode(Document.self, from: data) {
        app.result(document.name)
      } else {
        print("failed: \(error?.localizedDescription ?? "no document")")
      }
      app.quit()
    }
    app.runApplication()
  }
}
