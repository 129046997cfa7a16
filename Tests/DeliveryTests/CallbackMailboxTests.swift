// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing

@testable import Delivery

@Suite struct CallbackMailboxTests {
  /// Drains whenever it is told to, on a thread of its own.
  private final class Place: CallbackDestination {
    let phrase = "a thread"
    let isShared = false
    var loopSeen: LoopSeen? { nil }
    func schedule(_ mailbox: CallbackMailbox) { Thread.detachNewThread { mailbox.drain() } }
  }

  /// Something of the program's that speaks to the mailbox when the last callback that knows it is let go.
  private final class Farewell: Sendable {
    let last: @Sendable () -> Void
    init(_ last: @escaping @Sendable () -> Void) { self.last = last }
    deinit { last() }
  }

  /// Released with the mailbox's lock held, it would wait for itself for ever.
  @Test func `what a callback captured may post as it goes (LC)`() async throws {
    let mailbox = CallbackMailbox(subject: 0, destination: Place())
    let seen = Locked<[String]>([])
    mailbox.suspend()
    for number in 1...2 {
      let farewell = Farewell { mailbox.post { seen.withLock { $0.append("farewell \(number)") } } }
      mailbox.post { withExtendedLifetime(farewell) { seen.withLock { $0.append("callback \(number)") } } }
    }
    mailbox.resume()
    // The lock that is asked for is the test's own, so that it fails and does not hang.
    try await eventually { seen.withLock { $0.count } == 4 }
    #expect(seen.withLock { $0 } == ["callback 1", "callback 2", "farewell 1", "farewell 2"])
  }

  /// A thread that cancels a task behind a block of its own is faster than a callback that lasts.
  @Test(arguments: [true, false])
  func `a callback that comes behind a block of the program's runs behind it (LC-12)`(isShared: Bool) async throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let destination = OperationQueueDestination(queue, isShared: isShared) { $0() }
    let mailbox = CallbackMailbox(subject: 0, destination: destination)
    let seen = Locked<[String]>([])
    mailbox.post {
      queue.addOperation { seen.withLock { $0.append("block") } }
      mailbox.post { seen.withLock { $0.append("callback 2") } }
      seen.withLock { $0.append("callback 1") }
    }
    try await eventually { seen.withLock { $0.count } == 3 }
    // On a session's own queue a burst shares one operation.
    let later = isShared ? ["block", "callback 2"] : ["callback 2", "block"]
    #expect(seen.withLock { $0 } == ["callback 1"] + later)
  }
}
