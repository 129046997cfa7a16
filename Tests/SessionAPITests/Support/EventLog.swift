// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing

/// Events in the order in which they came, and a way to wait for them without sleeping.
final class EventLog<Event: Sendable>: Sendable {
  struct TimeLimitReached: Error, CustomStringConvertible {
    let description: String
  }

  private struct Waiter {
    let isMet: @Sendable ([Event]) -> Bool
    let continuation: CheckedContinuation<[Event], any Error>
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Locked(State())

  var all: [Event] { state.withLock { $0.events } }

  func append(_ event: Event) {
    let (events, met) = state.withLock { state in
      state.events.append(event)
      let met = state.waiters.filter { $0.value.isMet(state.events) }
      for key in met.keys { state.waiters[key] = nil }
      return (state.events, Array(met.values))
    }
    for waiter in met { waiter.continuation.resume(returning: events) }
  }

  /// The events, as soon as they meet the condition.
  @discardableResult
  func wait(
    within limit: Duration = .seconds(TestMachine.patience), until isMet: @escaping @Sendable ([Event]) -> Bool
  ) async throws -> [Event] {
    let timer = Locked<Task<Void, Never>?>(nil)
    defer { timer.withLock { $0 }?.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      let key: Int? = state.withLock { state in
        guard !isMet(state.events) else { return nil }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(isMet: isMet, continuation: continuation)
        return state.lastWaiter
      }
      guard let key else { return continuation.resume(returning: all) }
      timer.withLock { $0 = Task { [weak self] in await self?.giveUp(key, after: limit) } }
    }
  }

  /// The oldest event, as soon as there is one; the log forgets it.
  func take() async throws -> Event {
    while true {
      _ = try await wait { !$0.isEmpty }
      if let event = state.withLock({ $0.events.isEmpty ? nil : $0.events.removeFirst() }) { return event }
    }
  }

  private func giveUp(_ key: Int, after limit: Duration) async {
    guard (try? await Task.sleep(for: limit)) != nil else { return }
    let (waiter, events) = state.withLock { ($0.waiters.removeValue(forKey: key), $0.events) }
    waiter?.continuation.resume(throwing: TimeLimitReached(description: "\(limit) over; events: \(events.suffix(20))"))
  }
}
