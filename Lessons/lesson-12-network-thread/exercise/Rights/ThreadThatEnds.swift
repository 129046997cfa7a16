// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a Thread subclass, started with the first ask, hears all and ends after the fiftieth.
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

/// Sendable: only the thread it starts once has anything that changes.
private final class Manager: @unchecked Sendable {
  private let app: ExerciseContext
  private lazy var thread = Network()
  private let lock = NSLock()
  init(_ app: ExerciseContext) { self.app = app }

  /// Called on any thread.
  func load(_ number: Int) {
    let thread = lock.withLock { self.thread }
    let file = app.scratch.appendingPathComponent("part-\(number)")
    let load = Load(file) { [app] in if thread.ended() { app.quit() } }
    let connection = NSURLConnection(
      request: URLRequest(url: Exercise.address(app, number)), delegate: load, startImmediately: false)
    connection?.schedule(in: thread.loop, forMode: .default)
    connection?.start()
  }
}

/// The loop is set once; how many are left is the thread's own.
private final class Network: Thread {
  private(set) var loop = RunLoop.main
  private var left = Exercise.count
  private let started = DispatchSemaphore(value: 0)

  override init() {
    super.init()
    start()
    started.wait()
  }

  override func main() {
    loop = .current
    let clock = Timer(timeInterval: 3600, repeats: true) { _ in }
    loop.add(clock, forMode: .default)
    started.signal()
    while left > 0 { _ = loop.run(mode: .default, before: .distantFuture) }
    clock.invalidate()
  }

  func ended() -> Bool {
    left -= 1
    return left == 0
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
