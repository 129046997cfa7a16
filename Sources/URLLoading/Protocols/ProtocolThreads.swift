// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// The threads on which a program's own protocols start and stop: one, made when the first protocol starts.
///
/// As on Apple's systems calls come one at a time, on a thread whose run loop runs. A protocol that blocks in a call would hold
/// up all others that way, for ever where it waits for one of them: it loads something synchronously that another class
/// answers. So where calls wait and none begins within half a second, the next thread takes them over; the old one keeps
/// its protocols, and is the next when it is free again. Rejected: a thread for each session or class, for mocks of one test
/// suite share variables and rely on one call at a time; and noticing what blocks, which is a program's own semaphore as well.
enum ProtocolThreads {
  /// How long no call may begin before those that wait go elsewhere; twice as long where it is looked just then.
  static let patience = DispatchTimeInterval.milliseconds(250)

  private static let state = Locked(ProtocolShifts<ProtocolThread.Call>())
  private static let threads = Locked<[ProtocolThread]>([])
  private static let watch = DispatchQueue(label: "url-protocols-watch")

  /// Runs `call` on the thread that takes calls, after those that wait. false where the system has no thread for it.
  static func begin(_ call: @escaping ProtocolThread.Call) -> Bool {
    let (number, watches) = state.withLock { $0.add(call) }
    guard let thread = thread(number) else {
      state.withLock { $0.takeBack() }
      return false
    }
    thread.wake()
    if watches { look(again: state.withLock { $0.begun }) }
    return true
  }

  /// Keeps a call that belongs on this one thread.
  static func keep(_ call: @escaping ProtocolThread.Call, for thread: ProtocolThread) {
    state.withLock { $0.add(call, for: thread.number) }
  }

  /// Takes the call that the thread makes now, and tells whether nothing waits for it behind that; nil for nothing.
  static func next(on thread: ProtocolThread) -> (call: ProtocolThread.Call, isLast: Bool)? {
    state.withLock { state in
      state.next(thread.number).map { ($0, !state.hasCall(for: thread.number)) }
    }
  }

  /// The call that the thread took has returned.
  static func ended(on thread: ProtocolThread) { state.withLock { $0.ended(thread.number) } }

  /// Started under the lock, so that there is one of each number.
  private static func thread(_ number: Int) -> ProtocolThread? {
    threads.withLock { threads in
      if number < threads.count { return threads[number] }
      guard let new = ProtocolThread.start(number) else { return nil }
      threads.append(new)
      return new
    }
  }

  /// Looks after a while whether calls wait, and none has begun since there were `begun`.
  private static func look(again begun: Int) {
    watch.asyncAfter(deadline: .now() + patience) {
      let (next, begun) = state.withLock { ($0.next(after: begun), $0.begun) }
      switch next {
      case .rest: return
      case .wait: break
      // Without another thread the calls wait for the one that is busy.
      case .turn(to: let number):
        if let thread = thread(number) {
          state.withLock { $0.turn(to: number) }
          thread.wake()
        }
      }
      look(again: begun)
    }
  }
}
