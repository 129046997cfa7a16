// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// The timer in the loop is made to fire each 0.3 s and looks: thirteen wake-ups for nothing, and no clock.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      let load = Load()
      let clock = Timer(timeInterval: 0.3, repeats: true) { _ in
        if load.isOver { CFRunLoopStop(CFRunLoopGetCurrent()) }
      }
      RunLoop.current.add(clock, forMode: .default)
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      while !load.isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      clock.fireDate = Date(timeIntervalSinceNow: 3600)
      print("the worker goes on")
      try? load.body.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}

/// Collects the body. Its methods are called on a queue.
///
/// Sendable: a lock guards what two threads look at.
private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var collected = Data()
  private var hasEnded = false

  var body: Data { lock.withLock { collected } }
  var isOver: Bool { lock.withLock { hasEnded } }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    lock.withLock { collected.append(data) }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { end() }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }

  private func end() { lock.withLock { hasEnded = true } }
}
