// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same job with a data task: no loop to run, none to stop.
enum TaskWithoutLoop {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      // begin task
      let session = URLSession.shared
      let task = session.dataTask(with: app.url) { _, reply, error in
        let status = (reply as? HTTPURLResponse)?.statusCode ?? 0
        print(
          error.map { "failed: \($0.localizedDescription)" }
            ?? "finish with status \(status)")
        DispatchQueue.main.asyncAfter(
          deadline: .now() + 1, execute: app.quit)
      }
      task.resume()  // ←
      // end task
      print("the worker goes on")
    }
    app.runApplication()
  }
}
