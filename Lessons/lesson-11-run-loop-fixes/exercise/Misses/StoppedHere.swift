// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// The wrong loop: the end stops that of the thread on which the queue calls the delegate. The worker sleeps on.
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
      CFRunLoopRun()
      print("the worker goes on")
      try? load.body.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}

/// Collects the body and stops a loop at the end. Its methods are called on a queue.
///
/// Sendable: the queue calls one method at a time, and the worker reads the body when its loop has ended.
private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private(set) var body = Data()

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { CFRunLoopStop(CFRunLoopGetCurrent()) }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    CFRunLoopStop(CFRunLoopGetCurrent())
  }
}
