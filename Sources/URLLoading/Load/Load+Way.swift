// SPDX-License-Identifier: Apache-2.0
import FoundationNetworking
import HTTPRules
import Transport

/// Over which way and connections a request goes out: through a proxy, after the server's certificate was decided on, as a user
/// who is logged in. On the I/O thread.
extension Load {
  /// Names the proxy that the request goes through.
  func route(_ request: inout TransferRequest) {
    let server =
      context.proxies.areDirect ? nil : URL(string: request.url).flatMap { context.proxies.server(for: $0) }
    if server != nil || knownChallenges != nil {
      challenges.route(&request, through: server)
    } else {
      request.proxy = nil
    }
  }

  /// The connections over which `request` goes out now; nil when it is held until the client has decided.
  func transport(for request: inout TransferRequest) -> Transport? {
    if request.use != .exchange { challenges.hold(request) }
    guard request.isSecure, let decisions = partners?.decisions, let origin = Origin(URL(string: request.url)) else {
      return context.transport
    }
    switch challenges.wanted(&request, at: origin, for: decisions) {
    case .send(let transport): return transport
    case .ask(let certificates): perform(.ask(challenges.question(about: certificates, of: origin)))
    case .look: look(for: request)
    }
    return nil
  }

  /// Has the server show its certificates. Nothing of the request is in this transfer.
  private func look(for request: TransferRequest) {
    if connection.isSecured {
      var request = request
      request.peerPolicy = .show
      transfer?.secure(as: request)
      return
    }
    var bare = TransferRequest(url: request.url, method: "HEAD")
    bare.peerPolicy = .show
    (bare.proxy, bare.versions) = (request.proxy, request.versions)
    bare.idleTimeout = request.idleTimeout
    bare.totalTimeout = deadline.remaining
    bare.subject = subject
    transfer = (loginTransport(for: bare) ?? context.transport).start(bare, consumer: self)
    note(.sourceStarted(.transfer))
  }

  /// The connections on which `request` logs a user in; nil where it logs no user in.
  func loginTransport(for request: TransferRequest) -> Transport? {
    guard request.login != nil || request.proxy?.login != nil else { return nil }
    return challenges.loginTransport(for: request)
  }

  /// Sends the request that was held.
  func sendHeld(_ request: TransferRequest) {
    if connection.isSecured { return shakeHands(request) }
    note(.requestChosen)
    start(request)
  }

  /// Begins with the handshake, or continues it, unless the client has to be asked before.
  func shakeHands(_ wanted: TransferRequest) {
    var wanted = wanted
    if transport(for: &wanted) != nil { transfer?.secure(as: wanted) }
  }
}
