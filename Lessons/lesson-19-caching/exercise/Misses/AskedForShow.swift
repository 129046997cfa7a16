// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the page anew each time; a question by hand brings the 304, and its answer is thrown away.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    Task {
      do {
        for _ in 1...2 {
          let (page, answer) = try await session.data(from: app.url)
          app.result(try JSONDecoder().decode(Page.self, from: page).name)
          var question = URLRequest(url: app.url)
          let tag = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")
          question.setValue(tag, forHTTPHeaderField: "If-None-Match")
          _ = try await session.data(for: question)
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
