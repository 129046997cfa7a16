// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` into the file “download” of the program's folder.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    // TODO: the whole body is in memory here. Mend it.
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      if let data {
        try? data.write(to: file)
      } else {
        print("failed: \(error?.localizedDescription ?? "no data")")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
