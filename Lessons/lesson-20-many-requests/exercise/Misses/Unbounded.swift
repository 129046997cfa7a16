// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: one session, which opens as many connections as it may by default.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
    let group = DispatchGroup()
    for _ in 1...200 {
      group.enter()
      session.dataTask(with: app.url) { _, _, _ in group.leave() }.resume()
    }
    group.notify(queue: .main) {
      app.result("200")
      app.quit()
    }
    app.runApplication()
  }
}
