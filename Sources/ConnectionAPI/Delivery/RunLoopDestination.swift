// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import RunLoops
import URLLoading

/// Delivers callbacks on run loops: one source, in every scheduled (loop, mode). The first loop that runs it takes the
/// waiting calls, so each callback runs once however many places there are.
final class RunLoopDestination: CallbackDestination {
  private let mailbox: Locked<CallbackMailbox?>
  private let source: RunLoopSource

  init() {
    let mailbox = Locked<CallbackMailbox?>(nil)
    self.mailbox = mailbox
    source = RunLoopSource { mailbox.withLock { $0 }?.drain() }
  }

  /// The places in words.
  var phrase: String { source.phrase }

  /// Adds a place, unless it is there already.
  func add(_ runLoop: RunLoop, _ mode: RunLoop.Mode) { source.add(runLoop, mode) }

  /// Removes a place; one that was never added is no error.
  func remove(_ runLoop: RunLoop, _ mode: RunLoop.Mode) { source.remove(runLoop, mode) }

  /// Whether this is the one place there is.
  func isOnly(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool { source.isOnly(runLoop, mode) }

  /// Leaves every place for good.
  func close() {
    mailbox.withLock { $0 = nil }
    source.close()
  }

  func schedule(_ mailbox: CallbackMailbox) {
    self.mailbox.withLock { $0 = mailbox }
    source.signal()
  }
}
