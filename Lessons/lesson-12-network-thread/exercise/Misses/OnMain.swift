// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The wrong thread: all loads share the main one.
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

/// Sendable: what is left is counted on the main thread alone.
private final class Manager: @unchecked Sendable {
  private let app: ExerciseContext
  private var left = Exercise.count
  init(_ app: ExerciseContext) { self.app = app }

  func load(_ number: Int) {
    let load = Load(app.scratch.appendingPathComponent("part-\(number)"), ended)
    let connection = NSURLConnection(
      request: URLRequest(url: Exercise.address(app, number)), delegate: load, startImmediately: false)
    connection?.schedule(in: .main, forMode: .default)
    connection?.start()
  }

  private func ended() {
    left -= 1
    if left == 0 { app.quit() }
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
