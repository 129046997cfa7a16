// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Main waits on the semaphore in slices of 0.45 s, each in a block of the main queue of its own.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      if let data = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil),
        let document = try? JSONDecoder().decode(Document.self, from: data)
      {
        app.result(document.name)
      }
      done.signal()
    }
    wait(for: done, app)
    app.runApplication()
  }

  private static func wait(for done: DispatchSemaphore, _ app: ExerciseContext) {
    DispatchQueue.main.async {
      if done.wait(timeout: .now() + 0.45) == .success { app.quit() } else { wait(for: done, app) }
    }
  }
}
