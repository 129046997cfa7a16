// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the worker sleeps on a condition until the delegate signals the end; the timer stays in its loop.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let load = Load()
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      load.waitForEnd()
      print("the worker goes on")
      try? load.body.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}

/// Sendable: a condition guards it.
private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let condition = NSCondition()
  private var collected = Data()
  private var hasEnded = false

  var body: Data { condition.withLock { collected } }

  func waitForEnd() { condition.withLock { while !hasEnded { condition.wait() } } }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    condition.withLock { collected.append(data) }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { end() }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }

  private func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }
}
