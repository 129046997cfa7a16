// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One session, await in a loop, and the sum is all that is kept.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral)
    Task {
      do {
        var total = 0
        for _ in 1...100 {
          let (body, _) = try await session.data(from: app.url)
          total += body.reduce(0) { $0 + Int($1) }
        }
        app.result("\(total / 100)")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      session.finishTasksAndInvalidate()
      app.quit()
    }
    app.runApplication()
  }
}
