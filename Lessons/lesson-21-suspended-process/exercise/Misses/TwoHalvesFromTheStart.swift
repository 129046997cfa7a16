// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Two parts of 16 MiB without a limit: none is ever cut, none would go on if it were.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      do {
        var body = Data()
        for range in ["bytes=0-16777215", "bytes=16777216-"] {
          var request = URLRequest(url: app.url)
          request.setValue(range, forHTTPHeaderField: "Range")
          // A session for each, and so a connection: the server closes it after 20 MiB.
          let (part, _) = try await URLSession(configuration: .ephemeral).data(for: request)
          body += part
        }
        try body.write(to: app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
