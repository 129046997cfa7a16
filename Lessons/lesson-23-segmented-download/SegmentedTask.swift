// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with tasks of one session, each with a delegate of its own.
enum SegmentedTask {
  static func inParts(_ count: Int64) -> @Sendable (ExampleContext) -> Void {
    { download($0, parts: count) }
  }

  private static func download(_ app: ExampleContext, parts: Int64) {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    let session = URLSession(configuration: .default)
    let task = session.dataTask(with: head) { _, response, _ in
      let http = response as? HTTPURLResponse
      let size = response?.expectedContentLength ?? 0
      let ranges = http?.value(forHTTPHeaderField: "Accept-Ranges")
      let count = ranges == "bytes" ? parts : 1
      let path = app.scratch.appendingPathComponent("download").path
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      try? FileHandle(forWritingAtPath: path)?.truncate(
        atOffset: UInt64(size))
      let group = DispatchGroup()
      for part in 0..<count {
        let (start, end) = (size * part / count, size * (part + 1) / count)
        var request = URLRequest(url: app.url)
        if count > 1 {
          request.setValue(
            "bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")
        }
        group.enter()
        let task = session.dataTask(with: request)
        task.delegate = TaskPart(path, start, group)
        task.resume()
      }
      group.notify(queue: .main) { app.quit() }
    }
    task.resume()
    app.runApplication()
  }
}
