// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The cure: a download by hand that may be stopped and started again. What
/// has arrived lies in a partial file. Callbacks: CheckedRange+Answers.swift.
///
/// Sendable: it is used on the main thread alone.
final class CheckedRange: NSObject, @unchecked Sendable {
  let (app, partial): (ExampleContext, URL)
  var handle: FileHandle?
  var offset: UInt64 = 0
  var total: Int64 = -1
  var etag: String?
  private var connection: NSURLConnection?

  init(_ app: ExampleContext) {
    let partial = app.scratch.appendingPathComponent("download.part")
    (self.app, self.partial) = (app, partial)
  }

  // begin ask
  func start() {
    var request = URLRequest(url: app.url)
    if offset > 0, let etag, !etag.hasPrefix("W/") {
      request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
      request.setValue(etag, forHTTPHeaderField: "If-Range")  // ←
    }
    connection = NSURLConnection(request: request, delegate: self)
  }
  // end ask

  func stop() {
    connection?.cancel()
    offset = (try? handle?.seekToEnd()) ?? offset
    try? handle?.close()
    handle = nil
  }

  /// Gives up. The partial file stays as it is.
  func fail(_ reason: String) {
    print("failed: \(reason)")
    stop()
    app.quit()
  }

  /// A person who stops the download after 0.4 s and starts it again.
  static func run(_ app: ExampleContext) {
    let download = CheckedRange(app)
    download.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      download.stop()
      print("stopped at \(download.offset)")
      download.start()
    }
    app.runApplication()
  }
}
