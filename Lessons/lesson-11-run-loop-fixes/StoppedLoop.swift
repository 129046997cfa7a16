// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import LessonKit

/// A worker that waits in `CFRunLoopRun` until its loop is stopped.
enum StoppedLoop {
  /// The worker's loop is saved before it runs, and that one is stopped.
  static func saved(_ app: ExampleContext) {
    work(app) { $0 }
  }

  /// Defective: stops the loop of the thread that the end came to, which is
  /// another one. The worker's loop has a timer, and runs on.
  static func wrong(_ app: ExampleContext) {
    work(app) { _ in CFRunLoopGetCurrent() }
  }

  typealias Choosing = @Sendable (CFRunLoop) -> CFRunLoop

  private static func work(
    _ app: ExampleContext, choose: @escaping Choosing
  ) {
    Thread.detachNewThread {
      print("start")
      let load = Load(app, CFRunLoopGetCurrent(), choose)
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load)
      connection?.setDelegateQueue(OperationQueue())
      let timer = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      CFRunLoopRun()
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let loop: CFRunLoop
    private let choose: Choosing

    init(
      _ app: ExampleContext, _ loop: CFRunLoop, _ choose: @escaping Choosing
    ) {
      (self.app, self.loop, self.choose) = (app, loop, choose)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      CFRunLoopStop(choose(loop))
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
