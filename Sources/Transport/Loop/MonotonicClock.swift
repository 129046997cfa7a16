// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The kernel's monotonic clock as a bare number: a turn of the loop compares it hundreds of times.
enum MonotonicClock {
  /// Nanoseconds since an arbitrary start. Jumps of the wall clock do not move it.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// `duration` in nanoseconds, at least 0, at most about 146 years.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0 else { return 0 }
    guard seconds < Int64.max / 2_000_000_000 else { return Int64.max / 2 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
