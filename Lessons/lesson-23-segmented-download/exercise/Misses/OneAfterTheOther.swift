// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The parts come one after the other; each has a session, and so a connection, of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

final class PartedDownload: Sendable {
  private let app: ExerciseContext

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    Task {
      do { try await load() } catch { print("failed: \(error.localizedDescription)") }
      app.quit()
    }
  }

  private func load() async throws {
    let file = app.scratch.appendingPathComponent("download")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    let (_, answer) = try await URLSession.shared.data(for: head)
    let size = answer.expectedContentLength
    let hasRanges = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes"
    let count: Int64 = hasRanges ? 4 : 1
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      if hasRanges { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
      let (data, _) = try await URLSession(configuration: .ephemeral).data(for: request)
      try handle.seek(toOffset: UInt64(start))
      try handle.write(contentsOf: data)
    }
  }
}
