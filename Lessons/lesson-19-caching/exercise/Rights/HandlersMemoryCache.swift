// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Handlers instead of await, and a cache in memory alone: nothing reaches the disk.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    configuration.urlCache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    show(2, session, app)
    app.runApplication()
  }

  private static func show(_ left: Int, _ session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else { return load(session, app) }
    session.dataTask(with: app.url) { data, _, error in
      if let page = data.flatMap({ try? JSONDecoder().decode(Page.self, from: $0) }) {
        app.result(page.name)
      } else {
        print("failed: \(error?.localizedDescription ?? "no page")")
      }
      show(left - 1, session, app)
    }.resume()
  }

  private static func load(_ session: URLSession, _ app: ExerciseContext) {
    var request = URLRequest(url: app.url("/body?size=256KiB&etag=v1"))
    request.cachePolicy = .reloadIgnoringLocalCacheData
    session.dataTask(with: request) { data, _, _ in
      print("the statement has \(data?.count ?? 0) bytes")
      app.quit()
    }.resume()
  }

  private struct Page: Decodable {
    var name: String
  }
}
