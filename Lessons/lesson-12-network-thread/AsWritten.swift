// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The note's manager, `URLConnectionManager`, and the program around it.
enum AsWritten {
  static func run(_ app: ExampleContext) {
    let manager = URLConnectionManager(request: URLRequest(url: app.url))
    manager.start { data in
      print("completion: \(data == nil ? "nil" : "the data")")
      app.quit()
    }
    app.runApplication()
  }
}
