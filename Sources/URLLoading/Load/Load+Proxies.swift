// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The proxies that a load goes round, since they cannot be reached. Of the I/O thread. Most loads have none.
final class ProxyDetour {
  /// They cannot be reached.
  private(set) var unreachable: [ProxyServer] = []
  /// The request that is on its way through a proxy which it may go round, as it was before the proxy was chosen.
  private var pending: (request: TransferRequest, server: ProxyServer)?

  /// True if the request may go another way.
  var isOpen: Bool { pending != nil }

  /// A request goes through `server`, nil for none.
  func began(_ request: TransferRequest, through server: ProxyServer?) {
    pending = server.flatMap { $0.allowsFailover ? (request, $0) : nil }
  }

  /// The proxy cannot be reached. Returns the request to send again; nil where it may not go round that proxy.
  func failed() -> TransferRequest? {
    guard let (request, server) = pending else { return nil }
    pending = nil
    unreachable.append(server)
    return request
  }
}

/// How the requests of a load get their proxies.
extension Load {
  /// Chooses the proxy of `request`, nil for none. Where it may go round that one, the request is kept.
  func proxy(for request: borrowing TransferRequest) -> ProxyServer? {
    guard let rules = context.proxies else { return nil }
    let server = URL(string: request.url).flatMap { rules.server(for: $0, without: detour?.unreachable ?? []) }
    if detour == nil, server?.allowsFailover == true { detour = ProxyDetour() }
    detour?.began(copy request, through: server)
    return server
  }

  /// Names the proxy that the request goes through.
  func route(_ request: inout TransferRequest, through server: ProxyServer?) {
    request.proxy = nil
    if server != nil || knownChallenges != nil { challenges.route(&request, through: server) }
  }

  /// Sends the request round a proxy that cannot be reached. No byte of it has gone out.
  func goesRound() -> Bool {
    guard let request = detour?.failed() else { return false }
    transfer = nil
    note(.requestChosen)
    start(request)
    return true
  }
}
