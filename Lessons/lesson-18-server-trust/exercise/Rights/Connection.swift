// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: an asynchronous request of NSURLConnection; the system judges the server.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: .main) { _, body, error in
      if let body, error == nil { try? body.write(to: file) } else { print("failed: \(error as Any)") }
      app.quit()
    }
    app.runApplication()
  }
}
