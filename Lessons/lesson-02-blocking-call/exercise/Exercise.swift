// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Loads the JSON document at `app.url` and hands in the name in it. The server may take 3 s to answer.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    // TODO: the application stands still while the server thinks. Mend it.
    load(app)
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
