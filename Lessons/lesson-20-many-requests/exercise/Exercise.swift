// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads `app.url` two hundred times and hands in how many answers had 1024 bytes.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let count = Count(200) { right in
      app.result("\(right)")
      app.quit()
    }
    for _ in 1...200 {
      // TODO: each request opens a connection of its own. Mend it: four are enough.
      let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
      session.dataTask(with: app.url) { data, _, _ in
        count.answered(data?.count == 1024)
      }.resume()
      session.finishTasksAndInvalidate()
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Count: @unchecked Sendable {
  private var (left, right) = (0, 0)
  private let done: @Sendable (Int) -> Void

  init(_ number: Int, _ done: @escaping @Sendable (Int) -> Void) {
    left = number
    self.done = done
  }

  func answered(_ isRight: Bool) {
    if isRight { right += 1 }
    left -= 1
    if left == 0 { done(right) }
  }
}
