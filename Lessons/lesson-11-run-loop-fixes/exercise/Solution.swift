// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// A worker loads the body of `app.url`, waits for its end and writes it to the file “download”. The server may take 5 s.
/// Meanwhile the worker sleeps in its loop, and the end stops that loop.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      // The worker has a clock of its own, which is at home in its loop.
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let load = Load(stopping: CFRunLoopGetCurrent())
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

/// Collects the body and stops the worker's loop at the end. Its methods are called on a queue.
///
/// Sendable: the queue calls one method at a time, and the worker reads the body when its loop has been stopped.
private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let loop: CFRunLoop
  private(set) var body = Data()
  init(stopping loop: CFRunLoop) { self.loop = loop }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { CFRunLoopStop(loop) }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    CFRunLoopStop(loop)
  }
}
