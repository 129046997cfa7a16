// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One GET, and 99 HEADs that make up the number: the body is loaded once.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    Task {
      do {
        let (body, _) = try await session.data(from: app.url)
        var head = URLRequest(url: app.url)
        head.httpMethod = "HEAD"
        for _ in 2...100 { _ = try await session.data(for: head) }
        app.result("\(body.reduce(0) { $0 + Int($1) })")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      session.finishTasksAndInvalidate()
      app.quit()
    }
    app.runApplication()
  }
}
