// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The size first, then a file of that size, then the parts side by side,
/// each written at its place.
enum SegmentedConnection {
  static func inParts(_ count: Int64) -> @Sendable (ExampleContext) -> Void {
    { download($0, parts: count, checks: true) }
  }

  /// Defective: takes it for granted that the server has ranges.
  static func unchecked(_ app: ExampleContext) {
    download(app, parts: 4, checks: false)
  }

  private static func download(
    _ app: ExampleContext, parts: Int64, checks: Bool
  ) {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    var response: URLResponse?
    _ = try? NSURLConnection.sendSynchronousRequest(
      head, returning: &response)
    let size = response?.expectedContentLength ?? 0
    let ranges = (response as? HTTPURLResponse)?.value(
      forHTTPHeaderField: "Accept-Ranges")
    let count = ranges == "bytes" || !checks ? parts : 1
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
      let connection = NSURLConnection(
        request: request, delegate: ConnectionPart(path, start, group),
        startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
    }
    group.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
