// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too much: the whole handler runs on the main thread, the parsing as well.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: nil, delegateQueue: .main)
    let task = session.dataTask(with: app.url) { data, _, _ in
      let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
      app.label = object?["name"] as? String ?? ""
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
