// SPDX-License-Identifier: Apache-2.0
import Glibc

/// State that several threads share, reachable only while its lock is held.
///
/// It has the shape of `Synchronization.Mutex`, over a pthread mutex, because ThreadSanitizer understands the latter
/// and reports a false race on every contended `Mutex`. Lock and state live in one allocation.
///
/// Under the lock only change state and compute what to do; do it after `withLock` has returned.
public struct Locked<State>: @unchecked Sendable {
  // Sendable: the state is touched only inside `withLock`, which holds the mutex.
  private let storage: Storage

  /// Takes `state` into the lock's keeping.
  public init(_ state: sending State) {
    storage = Storage(state)
  }

  /// Runs `body` alone: no other thread is inside `withLock` of this lock at the same time. Not recursive.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(storage.mutex)
    defer { pthread_mutex_unlock(storage.mutex) }
    return try body(&storage.state)
  }

  private final class Storage {
    var state: State
    let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ state: State) {
      self.state = state
      mutex = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }
  }
}
