// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A worker runs its own loop for the sake of a connection. A second after
/// the end the program looks whether the worker has gone on.
enum WorkerLoop {
  /// Defective: `run()` ends only when nothing is left in the loop.
  static func forever(_ app: ExampleContext) {
    work(app) { _ in RunLoop.current.run() }
  }

  static func foreverWithTimer(_ app: ExampleContext) {
    work(app) { _ in
      let timer = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run()
    }
  }

  /// Costly: looks ten times a second whether it may end.
  static func polling(_ app: ExampleContext) {
    work(app) { isFinished in
      while isFinished.wait(timeout: .now()) == .timedOut {
        _ = RunLoop.current.run(
          mode: .default, before: Date(timeIntervalSinceNow: 0.1))
      }
    }
  }

  typealias Waiting = @Sendable (DispatchSemaphore) -> Void

  private static func work(_ app: ExampleContext, wait: @escaping Waiting) {
    Thread.detachNewThread {
      print("start")
      let load = Load(app)
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load)
      connection?.setDelegateQueue(OperationQueue())
      wait(load.isFinished)
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    let isFinished = DispatchSemaphore(value: 0)
    private let app: ExampleContext
    init(_ app: ExampleContext) {
      self.app = app
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      isFinished.signal()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
