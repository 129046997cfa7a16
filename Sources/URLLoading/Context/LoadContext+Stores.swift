// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Locking

extension LoadContext {
  package func emptyStores(then: @escaping @Sendable () -> Void) {
    // The logins that go along unasked, and the decisions about servers, were learned from those stores or together with them.
    logins.withLock { $0 = LoginCache() }
    proxyLogins.withLock { $0 = LoginCache() }
    loginConnections.removeAll()
    peers.withLock { $0 = PeerCache() }
    let group = DispatchGroup()
    for empty in [cookies?.empty, cache?.empty, credentials?.empty] {
      guard let empty else { continue }
      group.enter()
      empty { group.leave() }
    }
    group.notify(queue: .global(), execute: then)
  }

  /// Writes what the stores have not written yet; then calls `then`.
  package func writeStores(then: @escaping @Sendable () -> Void) {
    guard let cache else { return then() }
    cache.write(then: then)
  }
}
