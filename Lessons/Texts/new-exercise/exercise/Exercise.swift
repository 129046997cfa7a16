// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the JSON document at `app.url`, such as {"name":"bano-7","length":6}, and hands in the name.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      if let data {
        // TODO: this hands in the whole document. Hand in the name alone.
        app.result(String(decoding: data, as: UTF8.self))
      } else {
        print("failed: \(error?.localizedDescription ?? "no data")")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
