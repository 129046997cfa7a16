// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Too little: the program comes to its end, because it does not wait for the load.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: nil)
      app.quit()
    }
    app.runApplication()
  }
}
