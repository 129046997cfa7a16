// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the blocking call stays, but on a queue where it may block.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async { load(app) }
    app.runApplication()
  }

  static func load(_ app: ExerciseContext) {
    do {
      let data = try NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil)
      app.result(try JSONDecoder().decode(Document.self, from: data).name)
    } catch {
      print("failed: \(error.localizedDescription)")
    }
    app.quit()
  }
}
