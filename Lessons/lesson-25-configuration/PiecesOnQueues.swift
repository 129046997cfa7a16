// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A session with a delegate of its own, on different queues.
enum PiecesOnQueues {
  static func onNone(_ app: ExampleContext) { load(app, queue: nil) }

  static func onNew(_ app: ExampleContext) {
    load(app, queue: OperationQueue())
  }

  /// The delegate is busy for a second. The transfer fills its buffer.
  static func onBusy(_ app: ExampleContext) {
    load(app, queue: nil, isSlow: true)
  }

  private static func load(
    _ app: ExampleContext, queue: OperationQueue?, isSlow: Bool = false
  ) {
    let session = URLSession(
      configuration: .default, delegate: Load(app, isSlow),
      delegateQueue: queue)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: a task's callbacks come one at a time.
  private final class Load: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var received = 0
    private let isSlow: Bool
    init(_ app: ExampleContext, _ isSlow: Bool) {
      (self.app, self.isSlow) = (app, isSlow)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      if isSlow, received == 0 {
        Thread.sleep(forTimeInterval: 1)
        print("the queue is free")
      }
      received += data.count
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      print("received \(received) bytes")
      app.quit()
    }
  }
}
