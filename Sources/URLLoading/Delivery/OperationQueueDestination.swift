// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Transport

/// Brings callbacks onto an operation queue: one operation drains a batch.
package final class OperationQueueDestination: CallbackDestination {
  private let queue: OperationQueue

  /// Callbacks will be operations of `queue`, whatever its width: a mailbox runs one at a time all the same.
  package init(_ queue: OperationQueue) {
    self.queue = queue
  }

  package func schedule(_ mailbox: CallbackMailbox) {
    // Waking a queue's thread costs more than many callbacks: what a burst of responses brings shares one operation.
    Transport.whenIdle { [queue] in queue.addOperation { mailbox.drain() } }
  }

  package var phrase: String {
    queue === OperationQueue.main ? "the main queue" : "queue \(queue.name ?? "without a name")"
  }
}
