// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The worker sleeps, and a timer on main looks ten times a second in its place.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let load = Load()
    let gate = DispatchSemaphore(value: 0)
    RunLoop.main.add(
      Timer(timeInterval: 0.1, repeats: true) { timer in
        guard load.isOver else { return }
        timer.invalidate()
        gate.signal()
      }, forMode: .common)
    Thread.detachNewThread {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      gate.wait()
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
