// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The shared session with a completion handler: short, but nothing is heard
/// before the end.
enum SharedHandler {
  static func run(_ app: ExampleContext) {
    let quit = app.quit
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "received \(data?.count ?? 0) bytes")
      quit()
    }
    task.resume()
    app.runApplication()
  }
}
