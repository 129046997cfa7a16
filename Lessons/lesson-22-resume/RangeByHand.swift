// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download that is cancelled after 0.4 s; a second connection asks for the
/// rest with a Range header and writes it behind what there is.
enum RangeByHand {
  /// Defective where the server or its file does not play along: whatever
  /// comes is taken for the rest.
  static func asInTheNote(_ app: ExampleContext) {
    download(app, checks: false)
  }

  /// The cure: If-Range with the validator, and a look at the status.
  static func checked(_ app: ExampleContext) {
    download(app, checks: true)
  }

  private static func download(_ app: ExampleContext, checks: Bool) {
    let path = app.scratch.appendingPathComponent("download").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: path) else { return }
    let first = RangeReceiver(handle, app)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: first)
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      connection?.cancel()
      let offset = (try? handle.seekToEnd()) ?? 0
      print("cancelled at \(offset)")
      var request = URLRequest(url: app.url)
      request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
      if checks, let etag = first.etag {
        request.setValue(etag, forHTTPHeaderField: "If-Range")
      }
      let second = RangeReceiver(handle, app)
      second.restartsUnlessPartial = checks
      _ = NSURLConnection(request: request, delegate: second)
    }
    app.runApplication()
  }
}
