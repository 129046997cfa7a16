// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The size first, then a file of that size, then the parts side by side,
/// each written at its place by `ConnectionPart`.
enum SegmentedConnection {
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
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1  // one callback at a time
    // begin four-steps
    NSURLConnection.sendAsynchronousRequest(head, queue: queue) {
      answer, _, error in
      do {
        if let error { throw error }
        let parts = try FilePart.plan(count, after: answer)  // ←
        try target.make(for: parts)
        for part in parts {
          let load = try ConnectionPart(part, of: target)
          load.start(part.request, on: queue)
        }
      } catch {
        target.fail(error)  // ←
      }
    }
    // end four-steps
    app.runApplication()
  }
}
