// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// One thread hears, but `load` waits for the end: the four askers are held up, at most four loads at a time.
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

/// Sendable: a lock guards how many loads are left.
private final class Manager: @unchecked Sendable {
  private let app: ExerciseContext
  private let lock = NSLock()
  private var left = Exercise.count
  private let loop: RunLoop
  init(_ app: ExerciseContext) {
    self.app = app
    let started = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var loop = RunLoop.main
    Thread.detachNewThread {
      loop = .current
      loop.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      started.signal()
      loop.run()
    }
    started.wait()
    self.loop = loop
  }

  /// Called on any thread.
  func load(_ number: Int) {
    let done = DispatchSemaphore(value: 0)
    let load = Load(app.scratch.appendingPathComponent("part-\(number)")) { done.signal() }
    let connection = NSURLConnection(
      request: URLRequest(url: Exercise.address(app, number)), delegate: load, startImmediately: false)
    connection?.schedule(in: loop, forMode: .default)
    connection?.start()
    done.wait()
    ended()
  }

  private func ended() {
    let isLast = lock.withLock {
      left -= 1
      return left == 0
    }
    if isLast { app.quit() }
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
