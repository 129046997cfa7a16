// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// Delivers callbacks on run loops: one source, in every scheduled (loop, mode). The first loop that runs it takes the
/// waiting calls, so each callback runs once however many places there are.
package final class RunLoopDestination: CallbackDestination {
  private let mailbox: Locked<CallbackMailbox?>
  /// Knows the places, and takes others.
  package let source: RunLoopSource

  package init() {
    let mailbox = Locked<CallbackMailbox?>(nil)
    self.mailbox = mailbox
    source = RunLoopSource { mailbox.withLock { $0 }?.drain() }
  }

  package let isShared = false
  package var phrase: String { source.phrase }
  package var loopSeen: LoopSeen? { source.loopSeen }

  package func schedule(_ mailbox: CallbackMailbox) {
    self.mailbox.withLock { $0 = mailbox }
    source.signal()
  }

  /// Leaves every place for good.
  package func close() {
    mailbox.withLock { $0 = nil }
    source.close()
  }
}
