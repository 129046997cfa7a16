// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import LessonKit

/// Defective: the end stops the current loop, which is that of the thread
/// the delegate is called on. The loop of the worker has a timer and runs on.
enum StoppedCurrentLoop {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      let timer = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      // begin run
      let load = Load(app)
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
    init(_ app: ExampleContext) { self.app = app }

    // begin stop
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      CFRunLoopStop(CFRunLoopGetCurrent())  // ←
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
    // end stop
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      CFRunLoopStop(CFRunLoopGetCurrent())
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
