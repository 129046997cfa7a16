// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: an asynchronous task, and the main thread waits for it all the same.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let isDone = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: app.url) { data, _, _ in
      let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
      app.result(object?["name"] as? String ?? "")
      isDone.signal()
    }.resume()
    isDone.wait()
  }
}
