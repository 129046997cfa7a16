// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The kept page is shown first, and is asked about afterwards: the reader sees the old one, too.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    let session = URLSession(configuration: configuration)
    Task {
      do {
        for _ in 1...2 {
          let kept = URLRequest(url: app.url, cachePolicy: .returnCacheDataDontLoad)
          if let (page, _) = try? await session.data(for: kept) {
            app.result(try JSONDecoder().decode(Page.self, from: page).name)
          }
          let (page, _) = try await session.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
        }
        let (statement, _) = try await session.data(from: app.url("/body?size=256KiB&etag=v1"))
        print("the statement has \(statement.count) bytes")
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
