// SPDX-License-Identifier: Apache-2.0
import Locking
import TestSupport

/// Events in the order in which they come, each for one test that waits for it.
final class Board<Event: Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    let isWanted: @Sendable (Event) -> Bool
    let continuation: CheckedContinuation<Event?, Never>
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Waiter] = []
    var count = 0
  }

  private let state = Locked(State())

  /// Gives the event to the test that waits for it, or keeps it.
  func post(_ event: Event) {
    let waiter = state.withLock { state -> Waiter? in
      if let index = state.waiters.firstIndex(where: { $0.isWanted(event) }) { return state.waiters.remove(at: index) }
      state.events.append(event)
      return nil
    }
    waiter?.continuation.resume(returning: event)
  }

  /// Takes the first event of this kind, which may be still to come; `wanted` is its name in a report.
  /// - Throws: `Missing` when it does not come.
  func take(
    _ wanted: String, within limit: Duration = .seconds(TestMachine.patience),
    where isWanted: @escaping @Sendable (Event) -> Bool
  ) async throws -> Event {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    // The event itself ends the wait; this only lets a test fail for which it never comes.
    let timer = Task {
      try await Task.sleep(for: limit)
      state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }?.continuation.resume(returning: nil)
    }
    defer { timer.cancel() }
    let event = await withCheckedContinuation { continuation in
      let present = state.withLock { state -> Event? in
        if let index = state.events.firstIndex(where: isWanted) { return state.events.remove(at: index) }
        state.waiters.append(Waiter(number: number, isWanted: isWanted, continuation: continuation))
        return nil
      }
      if let present { continuation.resume(returning: present) }
    }
    guard let event else { throw Missing(event: wanted) }
    return event
  }
}

/// An event for which a test has waited in vain.
struct Missing: Error, CustomStringConvertible {
  let event: String
  var description: String { "\(event) has not come" }
}
