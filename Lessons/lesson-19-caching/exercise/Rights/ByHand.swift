// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// No cache at all: the page and its entity tag are kept in variables, and the question is put by hand.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = URLSession(configuration: configuration)
    Task {
      do {
        var (kept, tag, date) = (Data(), String?.none, String?.none)
        for _ in 1...2 {
          var request = URLRequest(url: app.url)
          request.setValue(tag, forHTTPHeaderField: "If-None-Match")
          request.setValue(date, forHTTPHeaderField: "If-Modified-Since")
          let (page, answer) = try await session.data(for: request)
          if let answer = answer as? HTTPURLResponse, answer.statusCode != 304 {
            kept = page
            tag = answer.value(forHTTPHeaderField: "ETag")
            date = answer.value(forHTTPHeaderField: "Last-Modified")
          }
          app.result(try JSONDecoder().decode(Page.self, from: kept).name)
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
