// SPDX-License-Identifier: Apache-2.0
import HTTPRules
import Locking
import Transport

/// The connections of a context on which users are logged in: each user at each server has a transport of his own, so that
/// no request of another user, and none without a user, ever goes out on one of them.
final class LoginConnections: Sendable {
  /// The user of the connections.
  struct Key: Hashable {
    var login: ConnectionLogin
    var origin: Origin
    /// The fingerprint of the certificate that the client shows there, if any.
    var identity: [UInt8]?

    /// nil for a request without a login.
    init?(_ request: TransferRequest, to origin: Origin?) {
      guard let login = request.login, let origin, request.use == .exchange else { return nil }
      (self.login, self.origin) = (login, origin)
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
