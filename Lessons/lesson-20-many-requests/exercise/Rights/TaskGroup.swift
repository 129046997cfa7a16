// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A task group with one child for each request; the session has four connections.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration)
    Task {
      do {
        let names = try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 1...200 {
            group.addTask {
              let (data, _) = try await session.data(from: app.url)
              return try JSONDecoder().decode(Document.self, from: data).name
            }
          }
          return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        if names.count == 1, let name = names.first { app.result(name) }
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      session.invalidateAndCancel()
      app.quit()
    }
    app.runApplication()
  }

  private struct Document: Decodable {
    var name: String
  }
}
