// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task with a handler is no better than the connection beside it: the
/// whole body in memory, then one write.
enum HandlerOneWrite {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      do {
        try data?.write(to: file, options: .atomic)
        print("finished")
      } catch {
        print("not written: \(error.localizedDescription)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
