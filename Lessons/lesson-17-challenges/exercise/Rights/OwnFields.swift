// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: requests of its own, one after the other, with one password each, until one is not refused.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    attempt([nil] + passwords.map(Optional.some), app)
    app.runApplication()
  }

  private static func attempt(_ passwords: [String?], _ app: ExerciseContext) {
    let task = URLSession.shared.dataTask(with: request(app, passwords[0])) { _, response, error in
      guard let status = (response as? HTTPURLResponse)?.statusCode else {
        print("failed: \(error?.localizedDescription ?? "no response")")
        return app.quit()
      }
      if status == 401, passwords.count > 1 { return attempt(Array(passwords.dropFirst()), app) }
      app.result("\(status)")
      app.quit()
    }
    task.resume()
  }

  private static func request(_ app: ExerciseContext, _ password: String?) -> URLRequest {
    var request = URLRequest(url: app.url)
    guard let password else { return request }
    let secret = Data("lesson:\(password)".utf8).base64EncodedString()
    request.setValue("Basic \(secret)", forHTTPHeaderField: "Authorization")
    return request
  }
}
