// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

// swift-format-ignore: NeverForceUnwrap
/// Defective: parses the data without a look at the error, as note N3 writes
/// it. Without data there is nothing to parse, and the program ends.
enum UnguardedJSON {
  static func run(_ app: ExampleContext) {
    // begin as-written
    let session = URLSession.shared
    let task = session.dataTask(with: app.url) { data, response, error in
      let result = try? JSONSerialization.jsonObject(with: data!)  // ←
      print("\(result ?? "null")")
      app.quit()
    }
    task.resume()
    // end as-written
    app.runApplication()
  }
}
