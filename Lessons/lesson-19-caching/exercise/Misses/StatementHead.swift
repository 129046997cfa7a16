// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Asks for the statement with HEAD: nothing of it is on the disk, for nothing of it was loaded.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    configuration.urlCache = URLCache(
      memoryCapacity: 1 << 20, diskCapacity: 20 << 20, diskPath: app.scratch.appendingPathComponent("cache").path)
    let session = URLSession(configuration: configuration)
    Task {
      do {
        for _ in 1...2 {
          let (page, _) = try await session.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
        }
        var request = URLRequest(url: app.url("/body?size=256KiB&etag=v1"))
        request.httpMethod = "HEAD"
        let (_, answer) = try await session.data(for: request)
        print("the statement has \(answer.expectedContentLength) bytes")
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
