// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The page's session asks each time; the statement has an ephemeral session without a disk.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    configuration.urlCache = URLCache(
      memoryCapacity: 1 << 20, diskCapacity: 20 << 20, diskPath: app.scratch.appendingPathComponent("cache").path)
    let pages = URLSession(configuration: configuration)
    let secrets = URLSession(configuration: .ephemeral)
    Task {
      do {
        for _ in 1...2 {
          let (page, _) = try await pages.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
        }
        let (statement, _) = try await secrets.data(from: app.url("/body?size=256KiB&etag=v1"))
        print("the statement has \(statement.count) bytes")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      pages.finishTasksAndInvalidate()
      secrets.finishTasksAndInvalidate()
      app.quit()
    }
    app.runApplication()
  }

  private struct Page: Decodable {
    var name: String
  }
}
