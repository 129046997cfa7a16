// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
package import Timeline

/// The place where a mailbox's callbacks run: an operation queue, or the sources of some run loops.
package protocol CallbackDestination: AnyObject, Sendable {
  /// Arranges for one `mailbox.drain()` in the right place, soon. Called on any thread; never drains at once itself.
  func schedule(_ mailbox: CallbackMailbox)

  /// True if the program may have blocks of its own in the same line, so that each callback takes its turn among them.
  var isShared: Bool { get }

  /// The place in words, for the search for a missing callback: "thread 5 in mode kCFRunLoopDefaultMode".
  var phrase: String { get }

  /// The thread of the run loop that callbacks wait for, 0 while it is not known, and what the loop does now; nil where they
  /// wait for no loop.
  var loopSeen: LoopSeen? { get }
}

/// The state of a run loop that callbacks wait for, as a recorder sees it.
package typealias LoopSeen = (thread: Int, state: TimelineEvent.ThreadState)

/// Callbacks that run in the order in which they were posted, one at a time, where the destination brings them.
///
/// Signals of run-loop sources coalesce and operations cost microseconds each, so the mailbox keeps the queue and the
/// destination only learns that there is something to do: one drain runs a batch of callbacks. Where a program's blocks stand in
/// the same line a drain runs one: a block that a program puts there before it cancels a task runs before the task's end.
package final class CallbackMailbox: Sendable {
  package typealias Callback = @Sendable () -> Void

  /// A callback in an array. A bare closure would be wrapped once more, with memory of its own.
  private struct Entry {
    let run: Callback
  }

  private struct State {
    /// The callbacks that wait, from `head` on; nil for those that have been taken. A callback may hold the last
    /// reference to an object of the program's, so none is released in here, where the lock is held.
    var waiting: [Entry?] = []
    var head = 0
    var isScheduled = false
    var isDraining = false
    var isSuspended = false
    var isClosed = false
    var watch: MailboxWatch
    /// True if it stands among those that a recorder looks at.
    var isListed = false

    /// True if callbacks wait for the one that runs.
    var hasMore: Bool { head < waiting.count }
    /// True if callbacks wait for their place, or for the one that runs there.
    var isWaiting: Bool { isScheduled || isDraining && hasMore }
    var isIdle: Bool { isClosed || isSuspended || isDraining || isScheduled || head == waiting.count }

    mutating func takeFirst() -> Entry? {
      guard !isClosed, !isSuspended, head < waiting.count else { return nil }
      let first = waiting[head].take()
      head += 1
      if head == waiting.count {
        waiting.removeAll(keepingCapacity: head <= 64)
        head = 0
      }
      return first
    }
  }

  /// Its number on the timeline: the load's, or one of its own where loads share it.
  package let subject: UInt64
  private let batch: Int
  private let destination: Locked<any CallbackDestination>
  private let state: Locked<State>

  /// A mailbox whose drain runs at most `batch` callbacks before it gives others on the same queue or loop a turn.
  package init(subject: UInt64, destination: any CallbackDestination, batch: Int = 16) {
    self.subject = subject
    self.batch = batch
    self.destination = Locked(destination)
    state = Locked(State(watch: MailboxWatch(subject: subject)))
  }

  /// Changes where callbacks run from the next scheduling on.
  package func setDestination(_ new: any CallbackDestination) {
    destination.withLock { $0 = new }
  }

  /// Puts a callback behind all that wait.
  package func post(_ callback: @escaping Callback) {
    change { $0.waiting.append(Entry(run: callback)) }
  }

  /// Puts a callback before all that wait: the rest of something that has begun.
  package func postFirst(_ callback: @escaping Callback) {
    change { $0.waiting.insert(Entry(run: callback), at: $0.head) }
  }

  /// Lets nothing run until `resume()`, such as while a delegate's answer is outstanding. What runs now finishes.
  package func suspend() {
    state.withLock { $0.isSuspended = true }
  }

  /// Continues after `suspend()`.
  package func resume() {
    change { $0.isSuspended = false }
  }

  /// Drops what waits and takes nothing more. Called in the destination's place, nothing runs after it has returned;
  /// from elsewhere, at most the callback that is under way there finishes.
  package func close() {
    state.drop { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Runs what waits, at most one batch; called by the destination. A second call at the same time returns at once.
  package func drain() {
    let begins = state.withLock { state in
      state.isScheduled = false
      guard !state.isDraining else { return false }
      state.isDraining = true
      state.watch.begins(phrase)
      return true
    }
    guard begins else { return }
    let most = destination.withLock { $0 }.isShared ? 1 : batch
    Place.asked(once: Timeline.isRecording) {
      for _ in 0..<most {
        guard let callback = state.withLock({ $0.takeFirst() }) else { break }
        callback.run()
        if Timeline.isRecording { state.withLock { $0.watch.returned(others: $0.hasMore, phrase) } }
      }
    }
    change { state in
      state.isDraining = false
      state.watch.ends()
    }
  }

  private var phrase: String { destination.withLock { $0 }.phrase }

  private func change(_ body: (inout State) -> Void) {
    let (wakes, isNew) = state.withLock { state in
      guard !state.isClosed else {
        state.isDraining = false
        return (false, false)
      }
      body(&state)
      guard !state.isIdle else { return (false, false) }
      state.isScheduled = true
      state.watch.waits()
      defer { state.isListed = state.isListed || Timeline.isRecording }
      return (true, !state.isListed && Timeline.isRecording)
    }
    guard wakes else { return }
    if isNew { WaitingMailboxes.add(self) }
    destination.withLock { $0 }.schedule(self)
  }

  /// Tells a recorder what lasts, and answers where callbacks wait: nil where none does, or for no thread that can be named.
  func look() -> LoopSeen? {
    let phrase = phrase
    let (isWaiting, drainer) = state.withLock { state in
      state.watch.look(phrase)
      return (state.isWaiting, state.isDraining ? state.watch.drainer : 0)
    }
    guard isWaiting else { return nil }
    return drainer == 0 ? destination.withLock { $0 }.loopSeen : (drainer, .idle)
  }

  /// True if callbacks still wait or run; where none does it is not looked at any more.
  var staysListed: Bool {
    state.withLock { state in
      state.isListed = (state.isWaiting || state.isDraining) && !state.isClosed
      return state.isListed
    }
  }
}
