// SPDX-License-Identifier: Apache-2.0
import Locking
import Timeline

/// The mailboxes whose callbacks wait or run while a recorder listens. Each look tells the timeline what lasts, and what the
/// thread does that is waited for.
enum WaitingMailboxes {
  private struct Entry {
    weak var mailbox: CallbackMailbox?
  }

  private struct State {
    var entries: [Entry] = []
    var isLooking = false
    var threads = BlockedThreads()
  }

  private static let state = Locked(State())

  static func add(_ mailbox: CallbackMailbox) {
    let isFirst = state.withLock { state in
      state.entries.append(Entry(mailbox: mailbox))
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if isFirst { Timeline.onLook { _ in look() } }
  }

  private static func look() {
    let listed = state.withLock { state in
      let mailboxes = state.entries.compactMap(\.mailbox)
      state.entries = []
      return mailboxes
    }
    let waiting = listed.filter(\.staysListed)
    state.withLock { $0.entries += waiting.map { Entry(mailbox: $0) } }
    var blocked: [Int: Bool] = [:]
    for mailbox in waiting {
      guard let (thread, loop) = mailbox.look() else { continue }
      var does = loop
      if does == .idle {
        let isBlocked = blocked[thread] ?? state.withLock { $0.threads.hasWaited(thread) }
        blocked[thread] = isBlocked
        if isBlocked { does = .blocked }
      }
      Timeline.emit(.waiting(thread: thread, does), subject: mailbox.subject)
    }
  }
}
