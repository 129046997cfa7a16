// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: only the first mebibytes are asked for, which fit.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    var request = URLRequest(url: app.url)
    request.setValue("bytes=0-2097151", forHTTPHeaderField: "Range")
    let task = URLSession.shared.dataTask(with: request) { data, _, _ in
      try? data?.write(to: file)
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
