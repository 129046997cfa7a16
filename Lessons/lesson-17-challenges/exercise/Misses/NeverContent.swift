// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends all three passwords even when one was right already: three secrets shown where one was enough.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    Task {
      var best = 401
      for password in [nil] + passwords.map(Optional.some) {
        let answer = try? await URLSession.shared.data(for: request(app, password))
        if (answer?.1 as? HTTPURLResponse)?.statusCode == 200 { best = 200 }
      }
      app.result("\(best)")
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
