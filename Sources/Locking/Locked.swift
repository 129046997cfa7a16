// SPDX-License-Identifier: Apache-2.0
public import Glibc

/// State that several threads share, reachable only while its lock is held.
///
/// It has the shape of `Synchronization.Mutex`, over a pthread mutex, because ThreadSanitizer understands the latter
/// and reports a false race on every contended `Mutex`. Lock and state lie in one block, and everything is inlinable,
/// since a request takes some forty locks.
///
/// Under the lock only change state and compute what to do; do it after `withLock` has returned.
@safe
public struct Locked<State>: @unchecked Sendable {
  // Sendable, and safe: the state is touched only inside `withLock`, which holds the mutex.
  @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>

  /// Takes `state` into the lock's keeping.
  @inlinable
  public init(_ state: sending State) {
    unsafe storage = Storage.create(minimumCapacity: 1) { _ in state }
    _ = unsafe storage.withUnsafeMutablePointerToElements { unsafe pthread_mutex_init($0, nil) }
  }

  /// Runs `body` alone: no other thread is inside `withLock` of this lock at the same time. Not recursive.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // `self` keeps the block where it is until the end of this function.
    let (state, mutex) = unsafe storage.withUnsafeMutablePointers { unsafe ($0, $1) }
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_mutex_unlock(mutex)
      unsafe withExtendedLifetime(storage) {}
    }
    return try unsafe body(&state.pointee)
  }

  /// Runs `body` alone, and drops what it answers when the lock is free.
  ///
  /// That may be the last reference to an object of the program's, whose `deinit` may come back for this lock. A result that
  /// nobody names is dropped earlier by the optimizer, with the lock still held.
  @inlinable
  public func drop<Result>(_ body: (inout State) -> sending Result) {
    withExtendedLifetime(withLock(body)) {}
  }

  @usableFromInline
  @unsafe final class Storage: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
      _ = unsafe withUnsafeMutablePointerToElements { unsafe pthread_mutex_destroy($0) }
    }
  }
}
