// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Completion handlers on a serial queue of their own, a DispatchGroup, and one handle.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

final class PartedDownload: @unchecked Sendable {
  private let app: ExerciseContext
  private let file: URL
  private let session: URLSession = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
  }()

  init(_ app: ExerciseContext) {
    self.app = app
    file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
  }

  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    session.dataTask(with: head) { [self] _, answer, _ in
      let fields = answer as? HTTPURLResponse
      let hasRanges = fields?.value(forHTTPHeaderField: "Accept-Ranges")?.contains("bytes") == true
      load(hasRanges ? 4 : 1, of: answer?.expectedContentLength ?? 0)
    }.resume()
  }

  private func load(_ count: Int64, of size: Int64) {
    let (parts, handle) = (DispatchGroup(), try? FileHandle(forWritingTo: file))
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      if count > 1 { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
      parts.enter()
      session.dataTask(with: request) { data, _, _ in
        try? handle?.seek(toOffset: UInt64(start))
        try? handle?.write(contentsOf: data ?? Data())
        parts.leave()
      }.resume()
    }
    parts.notify(queue: .main) { [self] in app.quit() }
  }
}
