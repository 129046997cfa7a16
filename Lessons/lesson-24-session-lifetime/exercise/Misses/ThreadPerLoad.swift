// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Each load has a thread of its own, which sleeps on for ever when the load is over.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    load(100, 0, session, app)
    app.runApplication()
  }

  private static func load(_ left: Int, _ total: Int, _ session: URLSession, _ app: ExerciseContext) {
    guard left > 0 else {
      app.result("\(total / 100)")
      return app.quit()
    }
    Thread.detachNewThread {
      session.dataTask(with: app.url) { data, _, _ in
        let sum = (data ?? Data()).reduce(0) { $0 + Int($1) }
        load(left - 1, total + sum, session, app)
      }.resume()
      DispatchSemaphore(value: 0).wait()
    }
  }
}
