// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Transport

/// NF-11: a wall clock that jumps moves no time-out. All of them count on the kernel's monotonic clock.
@Suite struct MonotonicClockTests {
  @Test func `time-outs count on the clock that nobody can set (NF-11)`() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let before = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let now = MonotonicClock.now
    clock_gettime(CLOCK_MONOTONIC, &time)
    let after = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    #expect((before...after).contains(now))
  }
}
