// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The worker sleeps, but another thread looks ten times a second in its place and wakes it: the wake-ups have moved.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      // The worker has a clock of its own, which is at home in its loop.
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let load = Load()
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      let over = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while !load.isOver { Thread.sleep(forTimeInterval: 0.1) }
        over.signal()
      }
      over.wait()
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
