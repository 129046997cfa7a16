// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// The settings that the loads of one session, or all NSURLConnections, have in common.
package struct LoadConfiguration: Sendable {
  /// The settings that servers notice.
  package var wire = WireSettings()
  /// Where cookies are kept; nil for neither sending nor keeping any.
  package var cookieStorage: HTTPCookieStorage?
  /// Which cookies are kept; nil leaves it to the storage.
  package var cookieAcceptPolicy: HTTPCookie.AcceptPolicy?
  /// True if stored cookies go with requests.
  package var sendsCookies = true
  /// Where responses are kept; nil for nowhere.
  package var cache: URLCache?
  /// True if each load keeps responses where `URLCache.shared` is at the moment it is made, in place of `cache`: a
  /// program may set another one at any time.
  package var followsSharedCache = false
  /// How stored responses are used where a request does not say.
  package var cachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
  /// True if a load that finds no network waits for one.
  package var waitsForConnectivity = false
  /// A program's own protocols, asked in this order before anything is sent.
  package var protocolClasses: [any RequestAnswering.Type]? = []
  /// True if the classes that the program registered for everybody are asked after those.
  package var asksRegisteredProtocols = false
  /// True if those see every body as a stream, and not only that of an upload.
  package var showsBodiesAsStreams = false
  /// Where credentials are looked for and kept; nil for nowhere.
  package var credentialStorage: URLCredentialStorage? = .shared

  /// The settings that no load uses.
  package var readBack = ReadBackSettings()

  /// Apple's defaults, without a store of cookies and a cache: each API names its own.
  package init() {}

  /// Uses the process's stores of cookies and responses.
  package mutating func useSharedStores() {
    (cookieStorage, cache) = (.shared, .shared)
  }

  /// Uses stores of its own, in memory.
  package mutating func usePrivateStores() {
    cookieStorage = HTTPCookieStorage()
    cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
  }
}

/// Loads that share connections.
package final class LoadContext: Sendable {
  package let configuration: LoadConfiguration
  let transport: Transport
  let credentials: CredentialKeeper?
  /// The logins that servers accepted from the loads of this context.
  let logins = Locked(LoginCache())
  /// The logins that proxies accepted.
  let proxyLogins = Locked(LoginCache())
  /// Which requests go through a proxy; nil where none does.
  let proxies: ProxyRules?
  /// The certificates that servers showed, and the decisions about them.
  let peers = Locked(PeerCache())
  let loginConnections = LoginConnections()
  let responses = LastResponse()
  let loadCookies: LoadCookies?
  var cookies: HTTPCookieStorage? { loadCookies?.storage }

  /// A context with connections of its own.
  package init(_ configuration: LoadConfiguration) {
    self.configuration = configuration
    credentials = configuration.credentialStorage.map(CredentialKeeper.init)
    let rules =
      configuration.wire.proxyChoices.map { ProxyRules($0) } ?? configuration.wire.proxies.map { ProxyRules($0) }
      ?? ProxyRules(environment: ProcessInfo.processInfo.environment)
    proxies = rules.areDirect ? nil : rules
    loadCookies = configuration.cookieStorage.map { LoadCookies($0, configuration) }
    transport = Self.makeTransport(configuration)
  }

  /// Where a load that is made now keeps responses; nil for nowhere.
  var cache: URLCache? { configuration.followsSharedCache ? .shared : configuration.cache }

  /// A transport with connections of its own.
  func makeTransport() -> Transport { Self.makeTransport(configuration) }

  private static func makeTransport(_ configuration: LoadConfiguration) -> Transport {
    // Int.max stands for no limit, but libcurl counts in less.
    Transport(
      connectionsPerHost: min(configuration.wire.connectionsPerHost, Int(Int32.max)),
      authorities: configuration.wire.authorities.map(Array.init))
  }

  private struct Shown: Hashable {
    var fingerprint: [UInt8]
    var origin: Origin
  }

  private let shown = Locked<[Shown: Transport]>([:])
  private let rawConnections = Locked<Transport?>(nil)

  /// Connections that a WebSocket or a stream has to itself: they count for no limit per host, and last.
  var rawTransport: Transport {
    rawConnections.withLock { known in
      if let known { return known }
      let made = Transport(
        connectionsPerHost: Int(Int32.max), authorities: configuration.wire.authorities.map(Array.init))
      known = made
      return made
    }
  }

  /// Connections on which this identity is shown to this server, and nothing else is sent (CVE-2026-8932).
  func transport(for identity: ClientIdentity, _ origin: Origin) -> Transport {
    let key = Shown(fingerprint: identity.fingerprint, origin: origin)
    return shown.withLock { shown in
      if let known = shown[key] { return known }
      let made = Self.makeTransport(configuration)
      shown[key] = made
      return made
    }
  }

  /// Cancels what is left and closes all connections; each load gets its end.
  package func invalidate() {
    transport.shutdown()
    rawConnections.withLock { $0 }?.shutdown()
    loginConnections.shutdown()
    for transport in shown.withLock({ Array($0.values) }) { transport.shutdown() }
  }
}
