// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A task group loads the parts side by side; each child has a handle of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

final class PartedDownload: Sendable {
  private let app: ExerciseContext
  private let session = URLSession(configuration: .ephemeral)

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    Task {
      do { try await load() } catch { print("failed: \(error.localizedDescription)") }
      session.invalidateAndCancel()
      app.quit()
    }
  }

  private func load() async throws {
    try Data().write(to: app.scratch.appendingPathComponent("download"))
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    let (_, answer) = try await session.data(for: head)
    let size = answer.expectedContentLength
    guard (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes" else {
      return try await load(nil)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<Int64(4) {
        group.addTask { try await self.load((size * part / 4)..<(size * (part + 1) / 4)) }
      }
      try await group.waitForAll()
    }
  }

  private func load(_ range: Range<Int64>?) async throws {
    var request = URLRequest(url: app.url)
    if let range {
      request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    }
    let (data, _) = try await session.data(for: request)
    let handle = try FileHandle(forWritingTo: app.scratch.appendingPathComponent("download"))
    try handle.seek(toOffset: UInt64(range?.lowerBound ?? 0))
    try handle.write(contentsOf: data)
    try handle.close()
  }
}
