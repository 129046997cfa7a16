// SPDX-License-Identifier: Apache-2.0
package import FoundationNetworking

/// Stores that nobody else has, as an ephemeral session wants them: in memory, gone with their last reference.
package enum PrivateStores {
  /// An empty store of cookies. The toolchain offers such a store only as part of its own ephemeral configuration.
  package static func makeCookieStorage() -> HTTPCookieStorage? {
    // On its way there the toolchain opens the shared store, too.
    _ = CookieFile.shared
    return FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }

  /// An empty cache of 4 MiB.
  package static func makeCache() -> URLCache {
    // A path below a device makes no folder: the toolchain's cache then has no disk, and leaves nothing in the home.
    URLCache(memoryCapacity: 4 * 1024 * 1024, diskCapacity: 0, diskPath: "/dev/null/none")
  }
}
