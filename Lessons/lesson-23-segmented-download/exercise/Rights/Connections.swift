// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Five NSURLConnections: one HEAD, and four parts, each with a delegate that knows its place.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class PartedDownload: @unchecked Sendable {
  private let app: ExerciseContext
  private let handle: FileHandle?
  private var missing = 0

  init(_ app: ExerciseContext) {
    self.app = app
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    NSURLConnection.sendAsynchronousRequest(head, queue: .main) { [self] answer, _, _ in
      let fields = answer as? HTTPURLResponse
      let hasRanges = fields?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes"
      load(hasRanges ? 4 : 1, of: answer?.expectedContentLength ?? 0)
    }
  }

  private func load(_ count: Int64, of size: Int64) {
    missing = Int(count)
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      if count > 1 { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
      let place = Part(handle, UInt64(start)) { [self] in
        missing -= 1
        if missing == 0 { app.quit() }
      }
      _ = NSURLConnection(request: request, delegate: place)
    }
  }
}

/// One part's place. Sendable: it is used on the main thread alone.
final class Part: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let handle: FileHandle?
  private let done: () -> Void
  private var offset: UInt64

  init(_ handle: FileHandle?, _ offset: UInt64, _ done: @escaping () -> Void) {
    (self.handle, self.done, self.offset) = (handle, done, offset)
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    try? handle?.seek(toOffset: offset)
    try? handle?.write(contentsOf: data)
    offset += UInt64(data.count)
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { done() }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    done()
  }
}
