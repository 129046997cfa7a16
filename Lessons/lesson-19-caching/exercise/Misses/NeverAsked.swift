// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: what is kept is shown without asking whether it is still right.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .returnCacheDataElseLoad
    configuration.urlCache = URLCache(
      memoryCapacity: 1 << 20, diskCapacity: 20 << 20, diskPath: app.scratch.appendingPathComponent("cache").path)
    let session = URLSession(configuration: configuration)
    let privateSession = URLSession(configuration: .ephemeral)
    Task {
      do {
        for _ in 1...2 {
          let (page, _) = try await session.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
        }
        let (statement, _) = try await privateSession.data(from: app.url("/body?size=256KiB&etag=v1"))
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
