// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends all three passwords at once in requests of their own: no order, and none waits for a refusal.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    Task {
      let statuses = await withTaskGroup(of: Int.self) { group in
        for password in [nil] + passwords.map(Optional.some) {
          group.addTask {
            let answer = try? await URLSession.shared.data(for: request(app, password))
            return (answer?.1 as? HTTPURLResponse)?.statusCode ?? 0
          }
        }
        return await group.reduce(into: [Int]()) { $0.append($1) }
      }
      app.result(statuses.contains(200) ? "200" : "401")
      app.quit()
    }
    app.runApplication()
  }

  private static func request(_ app: ExerciseContext, _ password: String?) -> URLRequest {
    var request = URLRequest(url: app.url)
    guard let password else { return request }
    let secret = Data("lesson:\(password)".utf8).base64EncodedString()
    request.setValue("Basic \(secret)", forHTTPHeaderField: "Authorization")
    return request
  }
}
