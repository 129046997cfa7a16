// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the asynchronous request with a handler on a queue of its own; main only runs its loop.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, data, error in
      do {
        guard let data else { throw error ?? URLError(.unknown) }
        app.result(try JSONDecoder().decode(Document.self, from: data).name)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
