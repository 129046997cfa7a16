// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Three children of a task group; the field is in the request, the limit in the configuration.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    configuration.timeoutIntervalForResource = 1
    let session = URLSession(configuration: configuration)
    var request = URLRequest(url: app.url)
    request.setValue("run-loops", forHTTPHeaderField: "X-Course")
    Task { [request] in
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...3 {
          group.addTask {
            do {
              _ = try await session.data(for: request)
            } catch let error as URLError {
              app.result("\(error.errorCode)")
            } catch {
              print("failed: \(error)")
            }
          }
        }
      }
      session.invalidateAndCancel()
      app.quit()
    }
    app.runApplication()
  }
}
