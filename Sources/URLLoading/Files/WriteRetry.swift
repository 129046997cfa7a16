// SPDX-License-Identifier: Apache-2.0

/// When records that a `SharedLog` did not take are tried again: where another process holds the lock in a moment, for it is held
/// for a moment; where the disk takes nothing after pauses that double. Pure.
struct WriteRetry {
  /// Before when no change leads to another try.
  private var nextTry = ContinuousClock.now
  private var failures = 0
  private var isPlanned = false

  private static let shortest = Duration.milliseconds(50)
  private static let longest = Duration.seconds(60)

  func isDue(_ now: ContinuousClock.Instant = .now) -> Bool { nextTry <= now }

  /// So it went. Returns the pause until a timer tries again; nil where there is nothing to do, or a timer runs.
  mutating func pause(
    after outcome: SharedLogOutcome, _ now: ContinuousClock.Instant = .now
  ) -> Duration? {
    switch outcome {
    case .written:
      (failures, nextTry) = (0, now)
      return nil
    case .locked: failures = 0
    case .failed: failures += 1
    }
    let pause = min(Self.longest, Self.shortest * (1 << min(failures, 12)))
    nextTry = now + Self.shortest
    guard !isPlanned else { return nil }
    isPlanned = true
    return pause
  }

  /// The timer has run out.
  mutating func timeCame() { isPlanned = false }
}

/// How an attempt to write ended.
enum SharedLogOutcome {
  case written
  /// Another process writes just now.
  case locked
  /// The disk takes nothing, or there is no file that may be written.
  case failed
}
