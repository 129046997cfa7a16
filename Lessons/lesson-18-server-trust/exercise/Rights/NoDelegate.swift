// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: without a delegate the system decides, and that is all there is to do.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      if let data { try? data.write(to: file) } else { print("failed: \(error?.localizedDescription ?? "")") }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
