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

  /// True if the next request to an origin has a credential.
  var hasCredential: Bool { machine.ticket != nil }

  /// The function by whose hash the credential for `url` protects the body, too; nil where it protects none.
  mutating func protection(at url: URL, remembered: LoginMachine.Ticket?) -> MessageDigest? {
    guard case .digest(let digest)? = machine.sending(to: Origin(url), remembered: remembered)?.offer.scheme,
      digest.quality == .authInt
    else { return nil }
    return digest.hash
  }

  /// Adds the credential that is known to be wanted at `url`. `bodyHash` is that of a body in a file, where it is protected.
  mutating func authorize(
    _ request: inout TransferRequest, for url: URL, remembered: LoginMachine.Ticket?, bodyHash: String?,
    in context: LoadContext
  ) {
    guard let ticket = machine.sending(to: Origin(url), remembered: remembered) else { return }
    request.login = ticket.offer.login(ticket.credential)
    guard request.login == nil else { return request.fields.removeAll { $0.isNamed("authorization") } }
    guard
      let value = context.logins.withLock({
        ticket.offer.authorization(
          ticket.credential, method: request.method, target: request.target, body: request.knownBody,
          bodyHash: bodyHash, counting: &$0.nonces)
      })
    else { return }
    request.fields.removeAll { $0.isNamed("authorization") }
    request.fields.append(HeaderField(name: "Authorization", value: value))
  }

  /// The server at `url` answered 401. `mayBind` where a login may bind a connection, as NTLM's does.
  mutating func refused(
    _ head: ResponseHead, at url: URL?, body: RequestBody.Place, mayBind: Bool, in context: LoadContext
  ) -> LoginMachine.Action {
    if let ticket = machine.ticket { context.logins.withLock { $0.refused(ticket) } }
    guard let origin = Origin(url) else { return .deliver }
    let fields = head.fields.filter { $0.isNamed("www-authenticate") }.map(\.value)
    let offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: fields), from: origin)
      .filter { (body != .stream || !$0.protectsBody) && (mayBind || !$0.bindsConnection) }
    return machine.refused(offers)
  }

  /// The client answered. `proposal` is what was proposed to it.
  mutating func credentialDecided(_ answer: ChallengeAnswer, proposal: URLCredential?) -> LoginMachine.Action {
    machine.credentialDecided(answer, proposal: proposal)
  }

  /// Any answer but a 401 says that the credential that went along was right: it is remembered, and stored if the client
  /// gave it. nil where there was none, or none that lasts.
  mutating func accepted(
    _ head: ResponseHead, at url: URL?, _ keeper: CredentialKeeper?, in context: LoadContext
  ) -> LoginMachine.Ticket? {
    guard var ticket = machine.accepted() else { return nil }
    let fields = head.fields.filter { $0.isNamed("authentication-info") }.map(\.value)
    if !fields.isEmpty { ticket = context.logins.withLock { $0.renewed(ticket, by: fields) } }
    guard head.status < 400, let keeper, let url else { return nil }
    context.logins.withLock { $0.accepted(ticket, at: url) }
    if ticket.source == .client { keeper.save(ticket.credential, for: ticket.offer.space) }
    return ticket
  }
}
