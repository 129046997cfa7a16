// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// Right: each ask is a block performed in the one thread's loop, which creates the connection there.
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
  private let thread = NetworkThread()
  init(_ app: ExerciseContext) { self.app = app }

  /// Called on any thread.
  func load(_ number: Int) {
    thread.perform { [self] in
      let load = Load(app.scratch.appendingPathComponent("part-\(number)")) { [self] in ended() }
      _ = NSURLConnection(request: URLRequest(url: Exercise.address(app, number)), delegate: load)
    }
  }

  private func ended() {
    let isLast = lock.withLock {
      left -= 1
      return left == 0
    }
    if isLast { app.quit() }
  }
}

/// Runs blocks in its loop. Sendable: the loop is set before the first of them.
private final class NetworkThread: @unchecked Sendable {
  private var loop: CFRunLoop?

  init() {
    let started = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = CFRunLoopGetCurrent()
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      started.signal()
      RunLoop.current.run()
    }
    started.wait()
  }

  func perform(_ block: @escaping @Sendable () -> Void) {
    let mode = CFStringCreateWithCString(nil, RunLoop.Mode.default.rawValue, 0x0800_0100)
    CFRunLoopPerformBlock(loop, mode, block)
    CFRunLoopWakeUp(loop)
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
