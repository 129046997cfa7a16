// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Four parts of 8 MiB at once, over sessions that wait long: what fails is not asked for again.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      do {
        var body = Data()
        for part in try await parts(of: app.url) { body += part }
        try body.write(to: app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  private static func parts(of url: URL) async throws -> [Data] {
    let session = URLSession(configuration: .ephemeral)
    return try await withThrowingTaskGroup(of: (Int, Data).self) { group in
      for part in 0..<4 {
        group.addTask {
          var request = URLRequest(url: url)
          request.setValue("bytes=\(part << 23)-\(((part + 1) << 23) - 1)", forHTTPHeaderField: "Range")
          return (part, try await session.data(for: request).0)
        }
      }
      var parts: [Int: Data] = [:]
      for try await (part, data) in group { parts[part] = data }
      return (0..<4).compactMap { parts[$0] }
    }
  }
}
