// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Timeline

/// Brings callbacks onto an operation queue: one operation drains a batch, or a single callback where the queue is the program's.
package final class OperationQueueDestination: CallbackDestination {
  private let queue: OperationQueue
  private let whenQuiet: WhenQuiet
  package let isShared: Bool

  /// Runs a job once a burst of events is over, at once where there is none.
  package typealias WhenQuiet = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  /// Callbacks will be operations of `queue`, whatever its width: a mailbox runs one at a time all the same. `isShared` says that
  /// the program chose the queue.
  package init(_ queue: OperationQueue, isShared: Bool = true, whenQuiet: @escaping WhenQuiet) {
    (self.queue, self.isShared, self.whenQuiet) = (queue, isShared, whenQuiet)
  }

  package func schedule(_ mailbox: CallbackMailbox) {
    // Waking a queue's thread costs more than many callbacks: what a burst of responses brings shares one operation.
    whenQuiet { [queue] in
      let drain: @Sendable () -> Void = { mailbox.drain() }
      guard ThreadRoom.isNeeded, queue !== OperationQueue.main else { return queue.addOperation(drain) }
      ThreadRoom.shared.run(drain) { queue.addOperation($0) }
    }
  }

  package var phrase: String {
    queue === OperationQueue.main ? "the main queue" : "queue \(queue.name ?? "without a name")"
  }

  package var loopSeen: LoopSeen? {
    queue === OperationQueue.main ? (1, RunLoop.main.currentMode == nil ? .idle : .serving) : nil
  }
}
