// SPDX-License-Identifier: Apache-2.0
package import FoundationNetworking
import Synchronization

/// Stores of one ephemeral session alone: in memory, gone with their last reference.
package enum PrivateStores {
  /// An empty cache of 4 MiB.
  package static func makeCache() -> URLCache {
    // A path below a device makes no folder: the toolchain's cache then has no disk, and leaves nothing in the home.
    PrivateCache(memoryCapacity: 4 * 1024 * 1024, diskCapacity: 0, diskPath: "/dev/null/none")
  }
}

/// A cache that begins empty and notices the first response that is stored. Until then the loads need not ask it, which would
/// take every one of a burst to a queue and back.
final class PrivateCache: URLCache, @unchecked Sendable {
  // Sendable: as its superclass; the flag is atomic.
  private let flag = Atomic(false)

  /// Whether anything was stored, or is about to be.
  var isUsed: Bool { flag.load(ordering: .acquiring) }

  func noteUse() { flag.store(true, ordering: .releasing) }

  override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    noteUse()
    super.storeCachedResponse(cachedResponse, for: request)
  }
}
