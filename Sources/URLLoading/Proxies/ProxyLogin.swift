// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// How the requests of a load go through proxies, and what those want to know (RFC 9110 section 11.7).
///
/// A forwarding proxy answers 407 in place of the server, and that is the response where there is no
/// credential. One that opens tunnels refuses the tunnel; what it says then is never taken for the server's word, so
/// without a credential the load ends with -1013. Of the I/O thread.
struct ProxyLogin {
  private var machine = LoginMachine()
  /// The proxy that the last request went through.
  private(set) var server: ProxyServer?

  /// Stands for everything that a proxy leads to: what it accepts has no path.
  private static let proxyURL = URL(fileURLWithPath: "/")

  /// Names the proxy that the request goes through, nil for none, with the credential that is known to be wanted there.
  mutating func route(
    _ request: inout TransferRequest, through server: ProxyServer?, isRemembering: Bool, in context: LoadContext
  ) {
    self.server = server
    request.proxy = server?.proxy
    guard let server else { return }
    guard server.proxy.kind != .socks5 else {
      // Over SOCKS no challenge comes: the proxy refuses who does not say a name at once.
      request.proxy?.socksLogin = server.user.map { ConnectionLogin(user: $0, password: server.password ?? "") }
      return
    }
    let remembered = isRemembering ? context.proxyLogins.withLock { $0.ticket(for: Self.proxyURL, server.origin) } : nil
    guard let ticket = machine.sending(to: server.origin, remembered: remembered) else { return }
    request.proxy?.login = ticket.offer.login(ticket.credential)
    guard request.proxy?.login == nil else { return }
    let isTunnel = server.proxy.kind == .tunnel || request.isSecure || request.use != .exchange
    let (method, target) = isTunnel ? ("CONNECT", Self.authority(of: request.url)) : (request.method, request.url)
    let body = isTunnel ? Data() : request.knownBody
    request.proxy?.authorization = context.proxyLogins.withLock {
      ticket.offer.authorization(ticket.credential, method: method, target: target, body: body, counting: &$0.nonces)
    }
  }

  /// Host and port, as CONNECT names them.
  private static func authority(of url: String) -> String {
    let isSecure = url.hasPrefix("https:")
    let authority = url.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
    let hasPort = authority.drop { $0 != "]" }.contains(":") || (!authority.contains("]") && authority.contains(":"))
    return hasPort ? String(authority) : authority + (isSecure ? ":443" : ":80")
  }

  /// True if a 407 to a request to `url` comes from a forwarding proxy.
  func handedOn(_ url: URL?) -> Bool {
    server?.proxy.kind == .http && HTTPScheme(url) == .http
  }

  /// The proxy answered 407, in place of the server or of a tunnel. Of a body in a file it gets no hash.
  mutating func refused(_ head: ResponseHead, body: RequestBody.Place, in context: LoadContext) -> LoginMachine.Action {
    guard let server else { return .deliver }
    if let ticket = machine.ticket { context.proxyLogins.withLock { $0.refused(ticket) } }
    let fields = head.fields.filter { $0.isNamed("proxy-authenticate") }.map(\.value)
    var offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: fields), from: server.origin)
      .filter { body == .memory || !$0.protectsBody }
    for index in offers.indices { offers[index].space.isProxy = true }
    return machine.refused(offers)
  }

  /// The client answered. `proposal` is what was proposed to it.
  mutating func credentialDecided(_ answer: ChallengeAnswer, proposal: URLCredential?) -> LoginMachine.Action {
    machine.credentialDecided(answer, proposal: proposal)
  }

  /// Any answer but a 407 says that the proxy was content: nil where no credential went along, or none that lasts.
  mutating func accepted(
    _ head: ResponseHead, at url: URL?, _ keeper: CredentialKeeper?, in context: LoadContext
  ) -> LoginMachine.Ticket? {
    guard head.status != 407, server != nil, var ticket = machine.accepted() else { return nil }
    let fields = handedOn(url) ? head.fields.filter { $0.isNamed("proxy-authentication-info") }.map(\.value) : []
    if !fields.isEmpty { ticket = context.proxyLogins.withLock { $0.renewed(ticket, by: fields) } }
    guard let keeper else { return nil }
    context.proxyLogins.withLock { $0.accepted(ticket, at: Self.proxyURL) }
    if ticket.source == .client { keeper.save(ticket.credential, for: ticket.offer.space) }
    return ticket
  }
}
