// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// Everything about a task that changes, behind the task's one lock.
struct TaskState {
  var life = TaskLife()
  /// Listens to the load; nil again once the task has completed.
  var client: TaskClient?
  /// The client of the task that took this one's place; it continues the load.
  var successor: TaskClient?
  /// True if a data delegate gets the body.
  var isIncremental: Bool
  /// True if the bytes that the receiver was given are counted, and not those that the load received.
  var countsDelivered: Bool
  /// True if no session made the task: it never has a load, and nothing changes it.
  var isInert = false
  /// Set before anyone else can see the task; nil again once it has completed.
  var load: Load?
  /// The request that was sent last, once the task has completed.
  var lastRequest: URLRequest?
  /// Why the load was never started.
  var refusal: URLError?
  var response: URLResponse?
  var error: (any Error)?
  var delegates = TaskDelegates()
  var taskDescription: String?
  /// The name in `description`, made when that is asked for.
  var name: UUID?
  var priority: Float = 0.5
  var earliestBeginDate: Date?
  var expectedByClient: (send: Int64, receive: Int64) = (-1, -1)
  var prefersIncrementalDelivery: Bool?
  /// Made when the program asks for it.
  var progress: Progress?
  /// Bytes of the body that the data delegate was given; for other receivers those of the load, once it has ended.
  var received: Int64 = 0
  /// Bytes of the body in a download's file.
  var written = Tally()
  /// Where a download was resumed, once the server has agreed.
  var resumed: (offset: Int64, expected: Int64)?
  /// The handlers that wait for resume data.
  var resumeHandler: (@Sendable (Data?) -> Void)?
  /// Bytes of the request's body.
  var sent = Tally()

  /// The state of a new task.
  init(isIncremental: Bool, isInert: Bool = false) {
    (self.isIncremental, self.isInert) = (isIncremental, isInert)
    countsDelivered = isIncremental
  }

  /// The name in `description`, from now on the same.
  mutating func named() -> UUID {
    let name = name ?? UUID()
    self.name = name
    return name
  }

  /// Returns the action that is due now, its load, and why that was never to be started.
  mutating func nextAction() -> (action: TaskLife.Action, load: Load, refusal: URLError?)? {
    guard let load, let action = life.nextAction() else { return nil }
    return (action, load, refusal)
  }

  /// The state of the task that takes over the load; nil when this task was cancelled or has ended.
  mutating func handOver() -> TaskState? {
    guard life.isWanted, !life.hasEnded, load != nil else { return nil }
    _ = named()
    var next = self
    next.life = life.handedOver()
    (next.isIncremental, next.countsDelivered) = (false, false)
    next.progress = nil
    _ = release()
    return next
  }

  /// The task has completed: what it no longer needs is free, though the user may keep it for long. What is answered may
  /// be the last reference to a delegate, so it is dropped outside of the lock.
  mutating func release() -> (load: Load?, delegates: TaskDelegates) {
    defer {
      (load, client) = (nil, nil)
      delegates = TaskDelegates()
    }
    lastRequest = load?.currentRequest
    _ = sent.reported(load?.bytesSent ?? 0, expected: -1)
    return (load, delegates)
  }
}
