// SPDX-License-Identifier: Apache-2.0

/// Keeps the main loop's long gaps in memory that was taken beforehand. Gaps beyond its capacity are dropped: 512 gaps of
/// 20 ms are ten seconds of silence.
final class GapKeeper: @unchecked Sendable {
  // Sendable: the main thread alone writes while the example runs; the instruments read after that, or when the main
  // thread has answered nothing until the time limit.
  private static let shortest = 20_000_000
  private static let capacity = 512
  private let gaps: UnsafeMutableBufferPointer<(began: Int, ended: Int)>
  private var count = 0
  private var start = 0

  init() {
    gaps = .allocate(capacity: Self.capacity)
    gaps.initialize(repeating: (0, 0))
  }

  deinit {
    gaps.deallocate()
  }

  /// Forgets all gaps; instants count from `now`, in nanoseconds of CLOCK_MONOTONIC.
  func reset(at now: Int) {
    count = 0
    start = now
  }

  /// Notes a gap if it is long enough to be seen.
  func note(_ began: Int, _ ended: Int) {
    guard ended - began >= Self.shortest, count < Self.capacity else { return }
    gaps[count] = (began, ended)
    count += 1
  }

  /// The gaps in seconds since `reset`.
  var stretches: [Circumstances.Stretch] {
    gaps.prefix(count).map { gap in
      Circumstances.Stretch(began: Double(gap.began - start) / 1e9, ended: Double(gap.ended - start) / 1e9)
    }
  }
}
