// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// The operation queue of a session that was given none: one operation at a time.
///
/// The toolchain spreads the operations of a queue over three threads, even of one that runs them one by one, and changes
/// from thread to thread at each. Over a serial dispatch queue they stay on one, with half the switches. An operation
/// queue does not hold the dispatch queue below it, so this one does.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  // Sendable: like its superclass; what it adds never changes.
  private let serial = DispatchQueue(label: "URLSession delegate queue")

  override init() {
    super.init()
    unsafe underlyingQueue = serial
    maxConcurrentOperationCount = 1
    name = serial.label
  }

  /// The toolchain wakes a thread with the queue's lock held, which that thread wants in the end and often finds still
  /// held, since waking it took the processor from its waker. So it is woken when the lock is free.
  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    serial.suspend()
    super.addOperation(block)
    serial.resume()
  }
}
