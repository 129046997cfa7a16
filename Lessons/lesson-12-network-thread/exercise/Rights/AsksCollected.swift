// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the one thread sleeps on a condition for the fifty asks, starts them all, then runs its loop.
enum Exercise {
  static let count = 50

  /// The address of the body with this number: that of `app.url`, with `number=` behind it.
  static func address(_ app: ExerciseContext, _ number: Int) -> URL {
    app.url.appending(queryItems: [URLQueryItem(name: "number", value: "\(number)")])
  }

  static func run(_ app: ExerciseContext) {
    let manager = Manager(app)
    for first in 1...4 {
      Thread.detachNewThread {
        for number in stride(from: first, through: count, by: 4) { manager.load(number) }
      }
    }
    app.runApplication()
  }
}

/// Sendable: a condition guards the numbers.
private final class Manager: @unchecked Sendable {
  private let app: ExerciseContext
  private let condition = NSCondition()
  private var numbers: [Int] = []

  init(_ app: ExerciseContext) {
    self.app = app
    Thread.detachNewThread { [self] in hear() }
  }

  /// Called on any thread.
  func load(_ number: Int) {
    condition.withLock {
      numbers.append(number)
      condition.signal()
    }
  }

  private func hear() {
    let all = condition.withLock {
      while numbers.count < Exercise.count { condition.wait() }
      return numbers
    }
    var left = all.count
    for number in all {
      let load = Load(app.scratch.appendingPathComponent("part-\(number)")) { left -= 1 }
      _ = NSURLConnection(request: URLRequest(url: Exercise.address(app, number)), delegate: load)
    }
    while left > 0 { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    app.quit()
  }
}

/// Collects one body, writes it to a file and says that it is over.
private final class Load: NSObject, NSURLConnectionDataDelegate {
  private let file: URL
  private let end: () -> Void
  private var body = Data()
  init(_ file: URL, _ end: @escaping () -> Void) { (self.file, self.end) = (file, end) }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    try? body.write(to: file)
    end()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }
}
