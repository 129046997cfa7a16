// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The shared session with a completion handler: short, but nothing comes
/// before the end.
enum SharedHandler {
  static func run(_ app: ExampleContext) {
    let quit = app.quit
    let task = URLSession.shared.dataTask(with: app.url) {
      data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        print("received \(data.count) bytes")
      } else {
        let why = error?.localizedDescription ?? "status \(status)"
        print("failed: \(why)")
      }
      quit()
    }
    task.resume()
    app.runApplication()
  }
}
