// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The first 8 KiB of the statement are written to a file, as a preview: less than is counted.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    let session = URLSession(configuration: configuration)
    Task {
      do {
        for _ in 1...2 {
          let (page, _) = try await session.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
        }
        let (statement, _) = try await session.data(from: app.url("/body?size=256KiB&etag=v1"))
        try statement.prefix(8 << 10).write(to: app.scratch.appendingPathComponent("preview"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  private struct Page: Decodable {
    var name: String
  }
}
