// SPDX-License-Identifier: Apache-2.0
import HTTPRules
import Locking
import Transport

/// The connections of a context on which users are logged in: each user at each server or proxy has a transport of his own,
/// so that no request of another user, and none without a user, ever goes out on one of them.
final class LoginConnections: Sendable {
  /// The user of the connections.
  struct Key: Hashable {
    /// The user at the server.
    var login: ConnectionLogin?
    /// The user at the proxy.
    var proxyLogin: ConnectionLogin?
    /// The origin that the connections lead to: the server, through a tunnel, too, or the proxy that forwards.
    var origin: Origin
    /// The fingerprint of the certificate that the client shows there, if any.
    var identity: [UInt8]?

    /// nil for a request without a login. `proxy` is what the request goes through.
    init?(_ request: TransferRequest, through proxy: ProxyServer?) {
      (login, proxyLogin) = (request.login, request.proxy?.login)
      let isForwarded = !request.isSecure && proxy?.proxy.kind != .tunnel
      let forwarder = login == nil && isForwarded ? proxy?.origin : nil
      guard login != nil || proxyLogin != nil, request.use == .exchange,
        let origin = forwarder ?? Origin(URL(string: request.url))
      else { return nil }
      self.origin = origin
      if case .use(let identity) = request.identityPolicy { self.identity = identity.fingerprint }
    }
  }

  private let kept = Locked<[Key: Transport]>([:])

  /// Those on which this login was accepted before; nil for none.
  func transport(for key: Key) -> Transport? {
    kept.withLock { $0[key] }
  }

  /// The login was accepted: later loads use its connections, too.
  func keep(_ transport: Transport, for key: Key) {
    kept.withLock { kept in
      if kept[key] == nil { kept[key] = transport }
    }
  }

  /// Forgets all of them. What runs there lives on with its load.
  func removeAll() {
    kept.withLock { $0 = [:] }
  }

  /// Cancels what runs there and closes the connections.
  func shutdown() {
    for transport in kept.withLock({ Array($0.values) }) { transport.shutdown() }
  }
}

/// The connections on which one load logs users in. A login that was not accepted yet has them for this load alone. Of the I/O
/// thread.
struct OwnConnections {
  private var current: (key: LoginConnections.Key, transport: Transport)?

  /// The connections of the users whom `request` logs in, at a server or at `proxy`; nil where it logs no user in.
  mutating func transport(
    for request: TransferRequest, through proxy: ProxyServer?, in context: LoadContext
  ) -> Transport? {
    guard let key = LoginConnections.Key(request, through: proxy) else { return nil }
    if let current, current.key == key { return current.transport }
    // Held here as well: a transport without an owner ends what runs on it.
    let transport = context.loginConnections.transport(for: key) ?? context.makeTransport()
    current = (key, transport)
    return transport
  }

  /// A server, a proxy or both were content with what these tickets say, nil for one that said nothing: later loads use the
  /// connections, too, unless one of the users is for one use only.
  func accepted(server: LoginMachine.Ticket?, proxy: LoginMachine.Ticket?, in context: LoadContext) {
    guard let current, Self.lasts(current.key.login, server), Self.lasts(current.key.proxyLogin, proxy) else { return }
    context.loginConnections.keep(current.transport, for: current.key)
  }

  private static func lasts(_ login: ConnectionLogin?, _ ticket: LoginMachine.Ticket?) -> Bool {
    guard let login else { return true }
    return ticket.map { $0.credential.persistence != .none && $0.offer.login($0.credential) == login } ?? false
  }
}
