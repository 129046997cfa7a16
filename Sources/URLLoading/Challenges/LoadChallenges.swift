// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// The records of a load about challenges, of servers and proxies, about credentials and certificates: heads, failures and
/// answers in, the next step out. Made for the loads that see one. Of the I/O thread.
final class LoadChallenges {
  /// The subject of a challenge.
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

  /// The question to the client.
  struct Question {
    let space: URLProtectionSpace
    var proposed: URLCredential?
    var failures = 0
    var response: HTTPURLResponse?
    let subject: Subject
  }

  /// The next step.
  enum Step {
    case ask(Question)
    /// Look for a credential to propose, then ask.
    case find(LoadMachine.Proposal, CredentialKeeper)
    /// Send the request again in place of this response.
    case supersede(HTTPURLResponse)
    /// Make this the final response.
    case deliver(HTTPURLResponse)
    /// Send what was held.
    case sendHeld(TransferRequest)
    case end(URLError)
  }

  private let context: LoadContext
  private let keeper: CredentialKeeper?
  private let original: URL?
  /// True if the load has a request and a response, and no connection to itself.
  private let isExchange: Bool
  private var login = ServerLogin()
  private var proxy = ProxyLogin()
  private var connections = OwnConnections()
  private var trust = PeerTrust()
  /// The request that waits for a decision about the server, or could come to wait.
  private var held: TransferRequest?

  /// The challenges of a load of `original`; credentials are proposed from `keeper` and kept there.
  init(_ context: LoadContext, _ keeper: CredentialKeeper?, original: URL?, isExchange: Bool) {
    (self.context, self.keeper, self.original, self.isExchange) = (context, keeper, original, isExchange)
  }
}

// MARK: - Requests

extension LoadChallenges {
  /// True if the next request to an origin has a credential.
  var hasCredential: Bool { login.hasCredential }

  /// Adds the credential that is known to be wanted at `url`. Where it protects a body in a file, too, whose hash was not taken
  /// yet: adds nothing, and answers the function by which to take it.
  func authorize(
    _ request: inout TransferRequest, for url: URL, remembered: LoginMachine.Ticket?, _ hash: FileHash?
  ) -> MessageDigest? {
    if hash == nil, case .source(is FileBodySource, _) = request.body,
      let function = login.protection(at: url, remembered: remembered)
    {
      return function
    }
    login.authorize(&request, for: url, remembered: remembered, bodyHash: hash?.digits, in: context)
    return nil
  }

  /// The connections on which `request` logs a user in, at the server or at the proxy; nil where it logs no user in.
  func loginTransport(for request: TransferRequest) -> Transport? {
    connections.transport(for: request, through: proxy.server, in: context)
  }

  /// True if a login at a server that binds a connection can be carried out: over a connection of HTTP that leads to the
  /// server, for a forwarding proxy may give its connection to another client's.
  private func mayBindConnection(to url: URL?) -> Bool {
    isExchange && (proxy.server?.proxy.kind != .http || HTTPScheme(url) == .https)
  }

  /// Names the proxy that the request goes through.
  func route(_ request: inout TransferRequest, through server: ProxyServer?) {
    proxy.route(&request, through: server, isRemembering: keeper != nil, in: context)
  }

  /// Keeps a request that may come to wait.
  func hold(_ request: TransferRequest) {
    held = request
  }

  /// A request shall go to the https server at `origin`: what is to be done before.
  func wanted(_ request: inout TransferRequest, at origin: Origin, for client: any LoadDecisions) -> PeerTrust.Step {
    held = request
    return trust.wanted(&request, at: origin, for: client, in: context)
  }

  /// The question about a server's certificates.
  func question(about certificates: [[UInt8]], of origin: Origin) -> Question {
    Question(
      space: TrustSpace(context.trust(certificates, of: origin.host), at: origin),
      subject: .peer(origin, certificates.first ?? []))
  }
}

// MARK: - Heads

extension LoadChallenges {
  /// Judges a head for what it says about credentials: nil when it is no challenge.
  func step(after head: ResponseHead, _ response: HTTPURLResponse, at url: URL?, body: RequestBody.Place) -> Step? {
    if head.status == 401 {
      let action = login.refused(
        head, at: url, body: body, mayBind: mayBindConnection(to: url), in: context)
      if action != .deliver { return step(action, .login(response), response) }
    }
    if head.status == 407, proxy.handedOn(url) {
      let action = proxy.refused(head, body: body, in: context)
      if action != .deliver { return step(action, .proxyLogin(response, isTunnel: false), response) }
    }
    return nil
  }

  /// A response with this head arrived from `url`: what credentials it accepts.
  func accept(_ head: ResponseHead, at url: URL?) {
    // A proxy's answer says nothing about the server.
    let isServers = head.status != 401 && (head.status != 407 || proxy.server == nil)
    let ticket = isServers ? login.accepted(head, at: url, keeper, in: context) : nil
    connections.accepted(server: ticket, proxy: proxy.accepted(head, at: url, keeper, in: context), in: context)
  }
}

// MARK: - Failures

extension LoadChallenges {
  /// Chooses the step after a transfer that failed because the client has to be asked first: for the proxy's sake, about the
  /// server's certificate, or for one of the client's own. nil when it failed for another reason.
  func step(
    after transfer: Transfer, _ failure: TransferFailure, for client: (any LoadDecisions)?, url: URL?,
    body: RequestBody.Place
  ) -> Step? {
    guard let held else { return nil }
    switch failure.cause {
    case .proxyAuthenticationRequired:
      guard let head = transfer.tunnelRefusal, proxy.server != nil, let url,
        let response = LoadedResponse(head, url: url)
      else { return nil }
      let action = proxy.refused(head, body: body, in: context)
      return action == .deliver ? nil : step(action, .proxyLogin(response, isTunnel: true), response)
    case .certificateUndecided:
      let certificates = transfer.peerCertificates
      guard let origin = Origin(URL(string: held.url)), trust.shown(certificates, by: origin, in: context) else {
        return nil
      }
      return client?.decidesTrust == true ? .ask(question(about: certificates, of: origin)) : .sendHeld(held)
    case .identityUndecided:
      guard let origin = Origin(URL(string: held.url)) else { return nil }
      return .ask(
        Question(space: IdentitySpace(transfer.acceptedAuthorities, at: origin), subject: .identity(origin)))
    default: return nil
    }
  }
}

// MARK: - Questions

extension LoadChallenges {
  /// The question of `proposal`, with what was found to propose.
  func question(_ proposal: LoadMachine.Proposal, proposed: URLCredential?) -> Question {
    let question = proposal.question
    return Question(
      space: question.offer.space.makeProtectionSpace(), proposed: proposed, failures: question.failures,
      response: proposal.response, subject: proposal.subject)
  }

  /// Chooses the step after a login's action about `subject`, which arrived with `response`.
  private func step(_ action: LoginMachine.Action, _ subject: Subject, _ response: HTTPURLResponse) -> Step {
    let isTunnel = if case .proxyLogin(_, true) = subject { true } else { false }
    switch action {
    case .ask(let question):
      return step(LoadMachine.Proposal(question: question, subject: subject, response: response))
    case .send:
      if isTunnel, let held { return .sendHeld(held) }
      return .supersede(response)
    case .deliver: return .deliver(response)
    }
  }

  private func step(_ proposal: LoadMachine.Proposal) -> Step {
    let question = proposal.question
    if question.failures > 0 { return .ask(self.question(proposal, proposed: question.rejected)) }
    if let proposed = urlCredential(for: question.offer.space), proposed != question.rejected {
      return .ask(self.question(proposal, proposed: proposed))
    }
    guard let keeper else { return .ask(self.question(proposal, proposed: nil)) }
    return .find(proposal, keeper)
  }

  /// Makes the credential that stands in the URL as the user wrote it, for that URL's origin alone: never in a redirect's.
  private func urlCredential(for space: ChallengeSpace) -> URLCredential? {
    if space.isProxy {
      guard let server = proxy.server, let user = server.user else { return nil }
      return URLCredential(user: user, password: server.password ?? "", persistence: .forSession)
    }
    guard let original, let user = original.user?.removingPercentEncoding, Origin(original) == space.origin else {
      return nil
    }
    let password = original.password?.removingPercentEncoding ?? ""
    return URLCredential(user: user, password: password, persistence: .forSession)
  }
}

// MARK: - Answers

extension LoadChallenges {
  /// The client answered `challenge` about `subject`, at `url`; nil when nothing follows.
  func step(
    after answer: ChallengeAnswer, to challenge: LoadChallenge, _ subject: Subject, for client: (any LoadDecisions)?,
    url: URL?
  ) -> Step? {
    if case .cancel(let code) = answer { return .end(Self.cancellation(code, url)) }
    switch subject {
    case .login(let response):
      return step(login.credentialDecided(answer, proposal: challenge.proposed), subject, response)
    case .proxyLogin(let response, let isTunnel):
      let action = proxy.credentialDecided(answer, proposal: challenge.proposed)
      guard isTunnel, action == .deliver else { return step(action, subject, response) }
      return .end(
        LoadError.error(
          .userAuthenticationRequired, url: url,
          description: "The proxy wants a name and a password before it leads to the server."))
    case .peer(let origin, let leaf):
      if case .rejectSpace = answer {
        return .end(
          LoadError.error(
            .serverCertificateUntrusted, url: url, description: "The server's certificate was rejected."))
      }
      trust.decided(answer, on: origin, leaf, for: client)
    case .identity(let origin): trust.decided(answer, identityAt: origin, for: client, in: context)
    }
    return held.map { .sendHeld($0) }
  }

  private static func cancellation(_ code: URLError.Code, _ url: URL?) -> URLError {
    let text = code == .cancelled ? "cancelled" : "The authentication challenge was cancelled."
    return LoadError.error(code, url: url, description: text)
  }
}
