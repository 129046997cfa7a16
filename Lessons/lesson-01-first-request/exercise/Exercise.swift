// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the JSON document at `app.url`, such as {"name":"bano-7","length":6}, and hands in the name.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    // TODO: no handler is ever called. Mend it, and hand in the name alone.
    _ = URLSession.shared.dataTask(with: app.url) { data, _, error in
      if let data {
        app.result(String(decoding: data, as: UTF8.self))
      } else {
        print("failed: \(error?.localizedDescription ?? "no data")")
      }
      app.quit()
    }
    app.runApplication()
  }
}
