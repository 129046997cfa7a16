// SPDX-License-Identifier: Apache-2.0

/// When the total time of a load is over. A running transfer ends with it by itself; where none runs and the load waits, the
/// watch here says so.
struct LoadDeadline {
  /// nil for never.
  private var instant: ContinuousClock.Instant?
  private var watch: DeadlineWatch?

  /// The load begins, and has so many seconds.
  mutating func begin(_ seconds: Double) {
    if seconds > 0, seconds < 1e9 { instant = .now + .seconds(seconds) }
  }

  /// The time left of it; nil for any time.
  var remaining: Duration? { instant.map { max(.zero, $0 - .now) } }

  /// Has `ended` called at the deadline, on the I/O thread, as long as the load is watched.
  mutating func watch(_ isWatched: Bool, _ ended: @autoclosure () -> @Sendable () -> Void) {
    guard isWatched, let instant else { return stop() }
    if watch == nil { watch = DeadlineWatch(instant, passed: ended()) }
  }

  /// The total time does not end the load any more.
  mutating func drop() {
    instant = nil
    stop()
  }

  private mutating func stop() {
    if watch != nil { watch = nil }
  }
}
