// SPDX-License-Identifier: Apache-2.0
package import FoundationNetworking

/// Stores that nobody else has, as an ephemeral session wants them: in memory, gone with their last reference.
package enum PrivateStores {
  /// An empty store of cookies. The toolchain offers such a store only as part of its own ephemeral configuration.
  package static func makeCookieStorage() -> HTTPCookieStorage? {
    FoundationNetworking.URLSessionConfiguration.ephemeral.httpCookieStorage
  }
}
