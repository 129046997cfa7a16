// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The shared session fetches and parses a small JSON document.
enum SharedJSON {
  static func run(_ app: ExampleContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      let object = data.flatMap {
        try? JSONSerialization.jsonObject(with: $0)
      }
      let lesson = (object as? [String: Any])?["lesson"] ?? "nothing"
      print("the document names lesson \(lesson)")
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
