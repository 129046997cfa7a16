// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// How a load shows servers a name and a password (RFC 9110 section 11). What is decided, `LoginMachine` decides; what was
/// right is remembered for the loads of the context. Of the I/O thread.
struct ServerLogin {
  private var machine = LoginMachine()
  /// The connections on which this load logs a user in.
  private var connections: (key: LoginConnections.Key, transport: Transport)?

  /// Whether the next request to an origin has a credential.
  var hasCredential: Bool { machine.ticket != nil }

  /// Adds the credential that is known to be wanted at `url`.
  mutating func authorize(
    _ request: inout TransferRequest, for url: URL, remembered: LoginMachine.Ticket?, in context: LoadContext
  ) {
    guard let ticket = machine.sending(to: Origin(url), remembered: remembered) else { return }
    request.login = ticket.offer.login(ticket.credential)
    guard request.login == nil else { return request.fields.removeAll { $0.isNamed("authorization") } }
    guard
      let value = context.logins.withLock({
        ticket.offer.authorization(
          ticket.credential, method: request.method, target: request.target, body: request.knownBody,
          counting: &$0.nonces)
      })
    else { return }
    request.fields.removeAll { $0.isNamed("authorization") }
    request.fields.append(HeaderField(name: "Authorization", value: value))
  }

  /// The connections of the user whom `request` logs in, by NTLM; nil where it logs no user in. A login that the server has
  /// not accepted yet has them for this load alone.
  mutating func transport(for request: TransferRequest, in context: LoadContext) -> Transport? {
    guard request.login != nil, let key = LoginConnections.Key(request, to: Origin(URL(string: request.url)))
    else { return nil }
    if let connections, connections.key == key { return connections.transport }
    // Held here as well: a transport without an owner ends what runs on it.
    let transport = context.loginConnections.transport(for: key) ?? context.makeTransport()
    connections = (key, transport)
    return transport
  }

  /// The server at `url` answered 401. `mayBind` where a login may bind a connection, as NTLM's does.
  mutating func refused(
    _ head: ResponseHead, at url: URL?, isBodyKnown: Bool, mayBind: Bool, in context: LoadContext
  ) -> LoginMachine.Action {
    if let ticket = machine.ticket { context.logins.withLock { $0.refused(ticket) } }
    guard let origin = Origin(url) else { return .deliver }
    let fields = head.fields.filter { $0.isNamed("www-authenticate") }.map(\.value)
    let offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: fields), from: origin)
      .filter { (isBodyKnown || !$0.protectsBody) && (mayBind || !$0.bindsConnection) }
    return machine.refused(offers)
  }

  /// The client answered. `proposal` is what was proposed to it.
  mutating func credentialDecided(_ answer: ChallengeAnswer, proposal: URLCredential?) -> LoginMachine.Action {
    machine.credentialDecided(answer, proposal: proposal)
  }

  /// Any answer but a 401 says that the credential that went along was right: it is remembered, and stored if the client
  /// gave it.
  mutating func accepted(_ status: Int, at url: URL?, _ keeper: CredentialKeeper?, in context: LoadContext) {
    guard let ticket = machine.accepted(), status < 400, let keeper, let url else { return }
    context.logins.withLock { $0.accepted(ticket, at: url) }
    if ticket.offer.bindsConnection, ticket.credential.persistence != .none, let connections {
      context.loginConnections.keep(connections.transport, for: connections.key)
    }
    if ticket.source == .client { keeper.save(ticket.credential, for: ticket.offer.space) }
  }
}
