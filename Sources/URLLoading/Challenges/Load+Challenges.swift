// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Locking
import Transport

/// What a load keeps about challenges; of the I/O thread.
final class LoadChallenges {
  var login = LoginMachine()
  var proxyLogin = LoginMachine()
  /// The proxy that the last request went through.
  var proxy: ProxyServer?
  var peer = PeerMachine()
  /// What the client shows to servers; nil inside for nothing, after it was asked.
  var identities: [Origin: SecIdentity?] = [:]
  /// The request that waits for a decision about the server, or could come to wait.
  var held: TransferRequest?
  /// What a challenge is about.
  enum Subject {
    /// The response that asked for a name and a password.
    case login(HTTPURLResponse)
    /// The response of a proxy that asked for them.
    case proxyLogin(HTTPURLResponse, isTunnel: Bool)
    /// The certificate that a server showed.
    case peer(Origin, [UInt8])
    /// The wish of a server to see a certificate of its client.
    case identity(Origin)
  }
}

extension Load {
  /// What is kept about challenges from now on.
  var challenges: LoadChallenges {
    if let knownChallenges { return knownChallenges }
    let new = LoadChallenges()
    knownChallenges = new
    return new
  }

  /// Adds the credential that is known to be wanted. A field of the user's own stays until the server asks.
  func authorize(_ transferRequest: inout TransferRequest, for request: URLRequest) {
    guard let url = request.url else { return }
    let isOwn = transferRequest.fields.contains { $0.isNamed("authorization") }
    let remembered = isOwn || keeper == nil ? nil : context.logins.withLock { $0.ticket(for: url) }
    guard remembered != nil || knownChallenges?.login.ticket != nil else { return }
    guard let ticket = challenges.login.sending(to: Origin(url), remembered: remembered),
      let value = context.logins.withLock({
        ticket.offer.authorization(
          ticket.credential, method: transferRequest.method, target: transferRequest.target,
          body: transferRequest.knownBody, counting: &$0.nonces)
      })
    else { return }
    transferRequest.fields.removeAll { $0.isNamed("authorization") }
    transferRequest.fields.append(HeaderField(name: "Authorization", value: value))
  }

  /// Whether a transfer ended so that somebody has to be asked first, and is asked now: for the proxy's sake, about the
  /// server's certificate, or for one of the client's own.
  func asks(after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    asksForProxy(after: transfer, failure) || asksAboutPeer(of: transfer, after: failure)
      || asksForIdentity(after: transfer, failure)
  }

  /// Judges a head for what it says about credentials: nil when it is no challenge, otherwise it waits for an answer.
  func challenged(by head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    guard head.status == 401 else { return nil }
    if let ticket = challenges.login.ticket { context.logins.withLock { $0.refused(ticket) } }
    guard let origin = Origin(currentURL) else { return nil }
    let fields = head.fields.filter { $0.isNamed("www-authenticate") }.map(\.value)
    let offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: fields), from: origin)
      .filter { body.isKnown(in: currentRequest) || !$0.protectsBody }
    switch challenges.login.refused(offers) {
    case .deliver: return nil
    case .send:
      supersede(response, by: currentRequest)
      return .proceed
    case .ask(let question):
      ask(question, .login(response), response)
      return .pause
    }
  }

  /// Any answer but a 401 says that the credential that went along was right: it is remembered, and stored if the client
  /// gave it.
  func noteAcceptance(_ status: Int) {
    // What a proxy says tells nothing of the server.
    guard status != 401, let known = knownChallenges, status != 407 || known.proxy == nil,
      let ticket = known.login.accepted(), status < 400, let keeper, let url = currentURL
    else { return }
    context.logins.withLock { $0.accepted(ticket, at: url) }
    if ticket.source == .client { keeper.save(ticket.credential, for: ticket.offer.space) }
  }

  /// Where credentials are kept, unless the client or the configuration wants none.
  var keeper: CredentialKeeper? { usesCredentialStorage ? context.credentials : nil }
}

// MARK: - Questions

extension Load {
  func ask(_ question: LoginMachine.Question, _ subject: LoadChallenges.Subject, _ response: HTTPURLResponse) {
    let proposal = LoadMachine.Proposal(question: question, subject: subject, response: response)
    let space = question.offer.space
    if question.failures > 0 { return ask(proposal, proposed: question.rejected) }
    if let proposed = urlCredential(for: space), proposed != question.rejected {
      return ask(proposal, proposed: proposed)
    }
    guard let keeper else { return ask(proposal, proposed: nil) }
    note(.asked(.proposal(proposal)))
    let number = machine.number
    keeper.find(space) { [context] found in
      context.transport.perform {
        self.handle(.answered(.proposal(number: number, found == question.rejected ? nil : found)))
      }
    }
  }

  /// Puts the question to the client.
  func ask(_ proposal: LoadMachine.Proposal, proposed: URLCredential?) {
    let question = proposal.question
    ask(
      LoadChallenge(
        number: machine.number + 1, space: question.offer.space.makeProtectionSpace(), proposed: proposed,
        failures: question.failures, response: proposal.response), proposal.subject)
  }

  func ask(_ challenge: LoadChallenge, _ subject: LoadChallenges.Subject) {
    note(.asked(.challenge(challenge, subject)))
    client?.load(self, didReceive: challenge)
  }

  /// What stands in the URL as the user wrote it, for that URL's origin alone: never in a redirect's.
  private func urlCredential(for space: ChallengeSpace) -> URLCredential? {
    if space.isProxy {
      guard let server = challenges.proxy, let user = server.user else { return nil }
      return URLCredential(user: user, password: server.password ?? "", persistence: .forSession)
    }
    guard let url = originalRequest.url, let user = url.user?.removingPercentEncoding, Origin(url) == space.origin
    else { return nil }
    let password = url.password?.removingPercentEncoding ?? ""
    return URLCredential(user: user, password: password, persistence: .forSession)
  }
}

// MARK: - Answers

extension Load {
  /// Answers `load(_:didReceive:)` for a challenge. Any answer but the first does nothing.
  package func answer(_ challenge: LoadChallenge, _ answer: ChallengeAnswer) {
    context.transport.perform { self.handle(.answered(.challenge(number: challenge.number, answer))) }
  }

  /// The client answered a challenge about `subject`.
  func decided(_ answer: ChallengeAnswer, _ challenge: LoadChallenge, _ subject: LoadChallenges.Subject) {
    if case .cancel(let code) = answer { return end(cancellation(code)) }
    switch subject {
    case .login(let response): answered(answer, challenge, response)
    case .proxyLogin(let response, let isTunnel): answered(answer, challenge, byProxy: response, isTunnel: isTunnel)
    case .peer(let origin, let leaf): answered(answer, about: origin, leaf)
    case .identity(let origin): answered(answer, forIdentityAt: origin)
    }
  }

  private func answered(_ answer: ChallengeAnswer, _ challenge: LoadChallenge, _ response: HTTPURLResponse) {
    switch challenges.login.answered(answer, proposal: challenge.proposed) {
    case .ask(let question): ask(question, .login(response), response)
    case .send: supersede(response, by: currentRequest)
    case .deliver: deliver(response)
    }
  }

  private func cancellation(_ code: URLError.Code) -> URLError {
    let text = code == .cancelled ? "cancelled" : "The authentication challenge was cancelled."
    return LoadError.error(code, url: currentURL, description: text)
  }
}
