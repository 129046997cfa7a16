// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// Counts the loads of each URL that wait for an answer of the cache, so that a load which skips the cache can wait behind
/// them. Any thread.
final class CacheLine: Sendable {
  private let waiting = Locked<[CacheKey: Int]>([:])

  func isAwaited(by url: URL) -> Bool { waiting.withLock { !$0.isEmpty && $0[CacheKey(url)] != nil } }

  func enter(_ key: CacheKey) { waiting.withLock { $0[key, default: 0] += 1 } }

  func leave(_ key: CacheKey) {
    waiting.withLock { waiting in
      let left = (waiting[key] ?? 1) - 1
      waiting[key] = left > 0 ? left : nil
    }
  }
}
