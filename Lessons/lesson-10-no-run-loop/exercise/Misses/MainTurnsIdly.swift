// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Main turns its loop without a pause until the load is over: a busy loop of very short pieces.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let flag = Flag()
    DispatchQueue.global().async {
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, body, _ in
        try? body?.write(to: app.scratch.appendingPathComponent("download"))
        flag.raise()
      }
    }
    while !flag.isUp { _ = RunLoop.main.run(mode: .default, before: Date()) }
  }
}

/// Sendable: a lock guards it.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var up = false
  var isUp: Bool { lock.withLock { up } }
  func raise() { lock.withLock { up = true } }
}
