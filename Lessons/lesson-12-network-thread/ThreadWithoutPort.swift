// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import LessonKit

/// Defective: the network thread has no port. Its loop is empty, `run()`
/// returns at once, and the work that is handed to it is never done.
enum ThreadWithoutPort {
  static func run(_ app: ExampleContext) {
    let hasEnded = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var loop: CFRunLoop?  // set before the semaphore
    // begin no-port
    Thread.detachNewThread {
      loop = CFRunLoopGetCurrent()
      RunLoop.current.run()  // ←
      print("the thread ends")
      hasEnded.signal()
    }
    // end no-port
    hasEnded.wait()
    print("work is handed over")
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes) {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: nil)
      print("connection \(connection == nil ? "not " : "")created")
      app.quit()
    }
    CFRunLoopWakeUp(loop)
    app.runApplication()
  }
}
