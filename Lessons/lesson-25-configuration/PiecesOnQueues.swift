// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A session with a delegate of its own, on different queues.
enum PiecesOnQueues {
  static func onNone(_ app: ExampleContext) {
    load(app, PieceCounter(app), queue: nil)
  }

  static func onNew(_ app: ExampleContext) {
    load(app, PieceCounter(app), queue: OperationQueue())
  }

  /// The delegate is busy for a second. The transfer fills its buffer.
  static func onBusy(_ app: ExampleContext) {
    load(app, BusyCounter(app), queue: nil)
  }

  private static func load(
    _ app: ExampleContext, _ counter: PieceCounter, queue: OperationQueue?
  ) {
    let session = URLSession(
      configuration: .default, delegate: counter, delegateQueue: queue)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}

/// Sendable: a task's callbacks come one at a time.
class PieceCounter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private(set) var received = 0
  private let app: ExampleContext

  init(_ app: ExampleContext) { self.app = app }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive data: Data
  ) {
    received += data.count
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    let failure = error.map { "failed: \($0.localizedDescription)" }
    print(failure ?? "received \(received) bytes")
    app.quit()
  }
}
