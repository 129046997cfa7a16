// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// The one place through which a connection's callbacks reach its delegate: in order, one at a time, where they were
/// scheduled.
///
/// There are three ways. On run loops: a source in each scheduled (loop, mode). On a queue: operations, no loop
/// involved. On both, when the queue was set after the connection had started on a loop: each event then passes
/// through that loop in its mode first and is run as an operation of the queue. For that the loop takes a single event
/// from the mailbox, adds it to the queue and stops the mailbox until the operation has ended, so the order of the
/// mailbox stays the only order.
final class ConnectionDelivery: Sendable {
  private struct State {
    var queue: OperationQueue?
    var hasDelivered = false
  }

  private let subject: UInt64
  private let loops = RunLoopDestination()
  private let mailbox: CallbackMailbox
  private let state = Locked(State())

  init(subject: UInt64) {
    self.subject = subject
    mailbox = CallbackMailbox(subject: subject, destination: loops)
  }

  // MARK: - Where

  /// Delivers also in this place.
  func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
    loops.source.add(runLoop, mode)
  }

  /// Does not deliver in this place.
  func unschedule(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
    loops.source.remove(runLoop, mode)
  }

  /// True if this is the one place there is.
  func isOnly(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool {
    loops.source.isOnly(runLoop, mode)
  }

  /// Delivers by operations of the queue alone; before anything is posted.
  func useOnly(_ queue: OperationQueue) {
    mailbox.setDestination(OperationQueueDestination(queue, whenQuiet: LoadThread.whenIdle))
  }

  /// Delivers by operations of the queue what has passed through the loops; nil ends that.
  /// - Returns: false when a callback has been delivered already; then nothing changes.
  func relay(to queue: OperationQueue?) -> Bool {
    state.withLock { state in
      guard !state.hasDelivered else { return false }
      state.queue = queue
      return true
    }
  }

  /// Says on the timeline at which loops callbacks will arrive.
  func announcePlaces() {
    Timeline.emit(.note("scheduled on \(loops.phrase)"), subject: subject)
  }

  // MARK: - What

  /// Delivers behind everything that waits.
  func post(_ callback: @escaping @Sendable () -> Void) {
    mailbox.post { [self] in deliver(callback) }
  }

  /// Delivers before everything that waits; for a callback that delivers more.
  func postFirst(_ callback: @escaping @Sendable () -> Void) {
    mailbox.postFirst { [self] in deliver(callback) }
  }

  /// Delivers nothing more and leaves the loops.
  func close() {
    mailbox.close()
    loops.close()
  }

  private func deliver(_ callback: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state in
      state.hasDelivered = true
      return state.queue
    }
    guard let queue else { return callback() }
    mailbox.suspend()
    queue.addOperation { [mailbox] in
      callback()
      mailbox.resume()
    }
  }
}
