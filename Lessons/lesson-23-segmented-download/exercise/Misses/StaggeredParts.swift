// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Four loads, each started by the last byte of the one before, of which two sessions take turns.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class PartedDownload: @unchecked Sendable {
  private let app: ExerciseContext
  private let sessions = [0, 1].map { _ in
    URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
  }
  private var body = Data()

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    sessions[0].dataTask(with: head) { [self] _, answer, _ in
      let fields = answer as? HTTPURLResponse
      next(0, fields?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes" ? 4 : 1, answer?.expectedContentLength ?? 0)
    }.resume()
  }

  private func next(_ part: Int64, _ count: Int64, _ size: Int64) {
    guard part < count else {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      return app.quit()
    }
    var request = URLRequest(url: app.url)
    let (start, end) = (size * part / count, size * (part + 1) / count)
    if count > 1 { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
    sessions[Int(part % 2)].dataTask(with: request) { [self] data, _, _ in
      body += data ?? Data()
      next(part + 1, count, size)
    }.resume()
  }
}
