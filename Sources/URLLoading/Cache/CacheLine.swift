// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// How many loads of a URL wait for what they asked a cache: whoever skips the cache passes none of them. Any thread.
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
