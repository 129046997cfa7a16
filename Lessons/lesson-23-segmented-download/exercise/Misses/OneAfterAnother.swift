// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: each part waits for the one before, so that appending is right. Four parts take as long as one file.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      do { try await load(app) } catch { print("failed: \(error.localizedDescription)") }
      app.quit()
    }
    app.runApplication()
  }

  private static func load(_ app: ExerciseContext) async throws {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    let answer = try await URLSession.shared.data(for: head).1 as? HTTPURLResponse
    let size = answer?.expectedContentLength ?? 0
    let count: Int64 = answer?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes" ? 4 : 1
    var body = Data()
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      if count > 1 { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
      body += try await URLSession.shared.data(for: request).0
    }
    try body.write(to: app.scratch.appendingPathComponent("download"))
  }
}
