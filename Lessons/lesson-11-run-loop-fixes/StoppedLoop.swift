// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import LessonKit

/// Way c of note N1: the worker saves its loop, waits in `CFRunLoopRun`, and
/// the end stops the loop that was saved. A timer is in the loop as well, so
/// that it would not end by itself.
enum StoppedLoop {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      let timer = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      // begin run
      let load = Load(app, CFRunLoopGetCurrent())
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load)
      connection?.setDelegateQueue(OperationQueue())
      CFRunLoopRun()
      // end run
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let loop: CFRunLoop
    init(_ app: ExampleContext, _ loop: CFRunLoop) {
      (self.app, self.loop) = (app, loop)
    }

    // begin stop
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      CFRunLoopStop(loop)  // ←
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
    // end stop
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      CFRunLoopStop(loop)
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
