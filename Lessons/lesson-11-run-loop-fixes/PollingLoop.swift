// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Way b of note N1: the worker runs its loop a tenth of a second at a time
/// and looks each time whether the load is over. A semaphore stands for the
/// note's Boolean, which two threads may not share without a lock.
enum PollingLoop {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      let load = Load(app)
      // begin polling
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load)
      connection?.setDelegateQueue(OperationQueue())
      while load.isFinished.wait(timeout: .now()) == .timedOut {
        let soon = Date(timeIntervalSinceNow: 0.1)
        _ = RunLoop.current.run(mode: .default, before: soon)  // ←
      }
      // end polling
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    let isFinished = DispatchSemaphore(value: 0)
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      isFinished.signal()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      isFinished.signal()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
