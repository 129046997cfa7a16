// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The worker says that it goes on and ends before anything came; a queue writes the file.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, body, _ in
        try? body?.write(to: app.scratch.appendingPathComponent("download"))
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
      }
      print("the worker goes on")
    }
    app.runApplication()
  }
}
