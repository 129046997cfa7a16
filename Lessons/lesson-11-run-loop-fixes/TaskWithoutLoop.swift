// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same job with a data task: no loop to run, none to stop.
enum TaskWithoutLoop {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      let task = URLSession.shared.dataTask(with: app.url) { _, _, _ in
        print("finish")
        DispatchQueue.main.asyncAfter(
          deadline: .now() + 1, execute: app.quit)
      }
      task.resume()
      print("the worker goes on")
    }
    app.runApplication()
  }
}
