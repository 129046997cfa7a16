// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task whose delegate, `TaskWriter`, writes each piece through one
/// open handle. A download task does the same by itself.
enum HandleInTask {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let session = URLSession(
      configuration: .default, delegate: TaskWriter(file, app.quit),
      delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
