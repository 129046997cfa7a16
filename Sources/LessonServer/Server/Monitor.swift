// SPDX-License-Identifier: Apache-2.0
import Glibc

/// State behind a lock, with threads that wait until it has changed: a mutex with a condition variable.
///
/// The wait runs on the monotonic clock. Under the lock only change state and compute what to do.
final class Monitor<State>: @unchecked Sendable {
  // Sendable: the state is touched only while the mutex is held.
  private var state: State
  private var waiting = 0
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let changed: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)

  init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone, then wakes the threads that wait.
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer {
      if waiting > 0 { pthread_cond_broadcast(changed) }
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `condition` holds and answers true, or false when the time is over; `nil` waits for ever.
  func wait(within limit: Duration?, until condition: (inout State) -> Bool) -> Bool {
    var deadline = MonotonicTime.now().advanced(by: limit ?? .seconds(0)).timespec
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    waiting += 1
    defer { waiting -= 1 }
    while !condition(&state) {
      if limit == nil {
        pthread_cond_wait(changed, mutex)
      } else if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
        return condition(&state)
      }
    }
    return true
  }
}

/// An instant of CLOCK_MONOTONIC, which all processes of a machine share.
struct MonotonicTime: Sendable, Comparable {
  var nanoseconds: Int64

  static func now() -> Self {
    var time = Glibc.timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Self(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  var seconds: Double { Double(nanoseconds) / 1e9 }

  var timespec: Glibc.timespec {
    Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  func advanced(by duration: Duration) -> Self {
    Self(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
  /// Nanoseconds, at most a century of them, so that sums of instants and durations never overflow.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
