// SPDX-License-Identifier: Apache-2.0
import Locking
import Transport

/// The deadlines of loads that wait, and the time of the next look at them. Pure.
///
/// A load waits for a short time and many times, so its deadline is hardly ever reached: one look at the earliest is planned for
/// all of them, and a deadline that is gone by then plans the next.
struct WatchedDeadlines {
  private struct Entry {
    let due: ContinuousClock.Instant
    let passed: @Sendable () -> Void
  }

  private var entries: [UInt64: Entry] = [:]
  private var lastNumber: UInt64 = 0
  private var nextLook: ContinuousClock.Instant?

  /// Takes a deadline. Answers its number, and the instant of a look to plan; nil where one is planned that is no later.
  mutating func add(
    _ due: ContinuousClock.Instant, passed: @escaping @Sendable () -> Void
  ) -> (number: UInt64, look: ContinuousClock.Instant?) {
    lastNumber += 1
    entries[lastNumber] = Entry(due: due, passed: passed)
    if let nextLook, nextLook <= due { return (lastNumber, nil) }
    nextLook = due
    return (lastNumber, due)
  }

  /// The load waits no more.
  mutating func remove(_ number: UInt64) {
    entries[number] = nil
  }

  /// The look that was planned for `planned`, which may come a little early. Takes off what is due. Answers also the instant of
  /// a look to plan; nil where another one is planned, or nothing waits.
  mutating func look(
    of planned: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) -> (passed: [@Sendable () -> Void], next: ContinuousClock.Instant?) {
    let due = entries.filter { $0.value.due <= now }
    for number in due.keys { entries[number] = nil }
    let passed = due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value.passed)
    guard planned == nextLook else { return (passed, nil) }
    nextLook = entries.values.lazy.map(\.due).min()
    return (passed, nextLook)
  }
}

/// A load that waits: what it gave is called on the I/O thread at its deadline, unless this is let go before. Costs neither a
/// thread nor a timer of its own.
final class DeadlineWatch: Sendable {
  private static let all = Locked(WatchedDeadlines())

  private let number: UInt64

  init(_ due: ContinuousClock.Instant, passed: @escaping @Sendable () -> Void) {
    let (number, look) = Self.all.withLock { $0.add(due, passed: passed) }
    self.number = number
    if let look { Self.plan(look) }
  }

  deinit {
    Self.all.withLock { $0.remove(number) }
  }

  private static func plan(_ look: ContinuousClock.Instant) {
    Transport.after(max(.zero, look - .now)) {
      let (passed, next) = all.withLock { $0.look(of: look, now: .now) }
      if let next { plan(next) }
      for passed in passed { passed() }
    }
  }
}
