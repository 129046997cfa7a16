// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with tasks of one session, each with a `TaskPart` as delegate.
enum SegmentedTask {
  static func inParts(_ count: Int64) -> @Sendable (ExampleContext) -> Void {
    { download($0, count) }
  }

  private static func download(_ app: ExampleContext, _ count: Int64) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let target = PartedFile(file) { outcome in
      print(outcome)
      app.quit()
    }
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    let session = URLSession(configuration: .default)
    // begin four-steps
    let task = session.dataTask(with: head) { _, answer, error in
      do {
        if let error { throw error }
        let parts = try FilePart.plan(count, after: answer)  // ←
        try target.make(for: parts)
        for part in parts {
          let load = try TaskPart(part, of: target)
          load.start(part.request, in: session)
        }
      } catch {
        target.fail(error)  // ←
      }
      session.finishTasksAndInvalidate()
    }
    task.resume()
    // end four-steps
    app.runApplication()
  }
}
