// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with a task. The session has no delegate: the system judges the
/// certificate.
enum SecureTask {
  static func run(_ app: ExampleContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      if let error {
        print("failed: \((error as NSError).code)")
      } else {
        print("received \(data?.count ?? 0) bytes")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
