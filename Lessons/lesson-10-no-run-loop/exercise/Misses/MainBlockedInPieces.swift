// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Main waits 0.4 s at a time, again and again: busy all the while, never longer than 0.5 s in one piece.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let body = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil)
      try? body?.write(to: app.scratch.appendingPathComponent("download"))
      done.signal()
    }
    wait(done, app)
    app.runApplication()
  }

  private static func wait(_ done: DispatchSemaphore, _ app: ExerciseContext) {
    DispatchQueue.main.async {
      if done.wait(timeout: .now() + 0.4) == .success { app.quit() } else { wait(done, app) }
    }
  }
}
