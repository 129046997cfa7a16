// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Each body is moved to a file of its own, and stays there: the memory is free, the disk is not.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral)
    Task {
      do {
        var total = 0
        for index in 1...100 {
          let file = app.scratch.appendingPathComponent("body-\(index)")
          let (location, _) = try await session.download(from: app.url)
          try FileManager.default.moveItem(at: location, to: file)
          total += try Data(contentsOf: file).reduce(0) { $0 + Int($1) }
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
