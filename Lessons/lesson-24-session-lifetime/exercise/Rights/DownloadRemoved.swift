// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Downloads into the system's file, which is read and gone when the handler returns.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    load(100, 0, URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main), app)
    app.runApplication()
  }

  private static func load(_ left: Int, _ total: Int, _ session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else {
      session.invalidateAndCancel()
      app.result("\(total / 100)")
      return app.quit()
    }
    session.downloadTask(with: app.url) { location, _, error in
      if let error { print("failed: \(error.localizedDescription)") }
      let body = location.flatMap { try? Data(contentsOf: $0) } ?? Data()
      load(left - 1, total + body.reduce(0) { $0 + Int($1) }, session, app)
    }.resume()
  }
}
