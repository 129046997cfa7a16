// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands in -1001 before anything is known, and quits after a second, whatever has become of the loads.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    let session = URLSession(configuration: configuration)
    app.result("-1001")
    for _ in 1...3 { session.dataTask(with: app.url) { _, _, _ in }.resume() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { app.quit() }
    app.runApplication()
  }
}
