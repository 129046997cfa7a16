// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Locking
import Transport

/// How requests go through proxies, and what those want to know (RFC 9110 section 11.7).
///
/// A proxy that hands requests on answers 407 in place of the server, and that is the response where nobody has a
/// credential. One that opens tunnels refuses the tunnel; what it says then is never taken for the server's word, so
/// without a credential the load ends with -1013.
extension Load {
  /// Names the proxy that the request goes through, with the credential that is known to be wanted there.
  func route(_ request: inout TransferRequest) {
    let server =
      context.proxies.areDirect ? nil : URL(string: request.url).flatMap { context.proxies.server(for: $0) }
    if server != nil { challenges.proxy = server } else { knownChallenges?.proxy = nil }
    request.proxy = server?.proxy
    guard let server, server.proxy.kind == .http else { return }
    let remembered = keeper == nil ? nil : context.proxyLogins.withLock { $0.ticket(for: Self.proxyURL, server.origin) }
    guard let ticket = challenges.proxyLogin.sending(to: server.origin, remembered: remembered) else { return }
    let isTunnel = request.isSecure || request.use != .exchange
    let (method, target) = isTunnel ? ("CONNECT", Self.authority(of: request.url)) : (request.method, request.url)
    let body = isTunnel ? Data() : request.knownBody
    request.proxy?.authorization = context.proxyLogins.withLock {
      ticket.offer.authorization(ticket.credential, method: method, target: target, body: body, counting: &$0.nonces)
    }
  }

  /// Stands for everything that a proxy leads to: what it accepts has no path.
  private static let proxyURL = URL(fileURLWithPath: "/")

  /// Host and port, as CONNECT names them.
  private static func authority(of url: String) -> String {
    let isSecure = url.hasPrefix("https:")
    let authority = url.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
    let hasPort = authority.drop { $0 != "]" }.contains(":") || (!authority.contains("]") && authority.contains(":"))
    return hasPort ? String(authority) : authority + (isSecure ? ":443" : ":80")
  }

  /// Judges a 407 of a proxy that handed the request on: nil when it is no challenge.
  func challengedByProxy(_ head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    guard head.status == 407, let server = challenges.proxy, server.proxy.kind == .http,
      currentURL?.scheme?.lowercased() == "http"
    else { return nil }
    switch refusedByProxy(head, server) {
    case .deliver: return nil
    case .send:
      supersede(response, by: currentRequest)
      return .proceed
    case .ask(let question):
      ask(question, .proxyLogin(response, isTunnel: false), response)
      return .pause
    }
  }

  /// A transfer ended because its proxy wants to know who is there before it opens a tunnel; false when it ended for
  /// another reason, or nobody can be asked.
  func asksForProxy(after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    guard failure.cause == .proxyAuthenticationRequired, let head = transfer.tunnelRefusal,
      let server = challenges.proxy, let request = challenges.held, let url = currentURL,
      let response = LoadedResponse(head, url: url)
    else { return false }
    switch refusedByProxy(head, server) {
    case .deliver: return false
    case .send:
      self.transfer = nil
      startHeld(request)
    case .ask(let question):
      self.transfer = nil
      ask(question, .proxyLogin(response, isTunnel: true), response)
    }
    return true
  }

  private func refusedByProxy(_ head: ResponseHead, _ server: ProxyServer) -> LoginMachine.Order {
    if let ticket = challenges.proxyLogin.ticket { context.proxyLogins.withLock { $0.refused(ticket) } }
    let fields = head.fields.filter { $0.isNamed("proxy-authenticate") }.map(\.value)
    var offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: fields), from: server.origin)
      .filter { body.isKnown(in: currentRequest) || !$0.protectsBody }
    for index in offers.indices { offers[index].space.isProxy = true }
    return challenges.proxyLogin.refused(offers)
  }

  /// Any answer but a 407 says that the proxy was content.
  func noteProxyAcceptance(_ status: Int) {
    guard status != 407, let known = knownChallenges, known.proxy != nil, let ticket = known.proxyLogin.accepted(),
      let keeper
    else { return }
    context.proxyLogins.withLock { $0.accepted(ticket, at: Self.proxyURL) }
    if ticket.source == .client { keeper.save(ticket.credential, for: ticket.offer.space) }
  }

  /// The client answered.
  func answered(
    _ answer: ChallengeAnswer, _ challenge: LoadChallenge, byProxy response: HTTPURLResponse, isTunnel: Bool
  ) {
    switch challenges.proxyLogin.answered(answer, proposal: challenge.proposed) {
    case .ask(let question): ask(question, .proxyLogin(response, isTunnel: isTunnel), response)
    case .send where isTunnel:
      if let request = challenges.held { startHeld(request) }
    case .send: supersede(response, by: currentRequest)
    case .deliver where isTunnel:
      end(
        LoadError.error(
          .userAuthenticationRequired, url: currentURL,
          description: "The proxy wants a name and a password before it leads to the server."))
    case .deliver: deliver(response)
    }
  }
}
