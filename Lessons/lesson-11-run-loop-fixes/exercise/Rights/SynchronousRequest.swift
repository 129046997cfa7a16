// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the worker sleeps in a synchronous request until the body is there; the timer stays in its loop.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      do {
        let body = try NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil)
        print("the worker goes on")
        try body.write(to: app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}
