// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// How a client has a say about a server's certificate, before any byte of a request is sent, and then about one of its own.
///
/// libcurl cannot wait in the midst of a handshake. So a first connection only has the server show its certificates and
/// ends there; the client is asked; the request goes out on a second one, whose server must show the same certificate.
/// Later loads are asked about what was shown last, without the first connection. What is decided, `PeerMachine` decides. Of
/// the I/O thread.
struct PeerTrust {
  /// The step before a request.
  enum Step {
    case send(over: Transport)
    /// Ask the client about these certificates.
    case ask([[UInt8]])
    /// Have the server show its certificates.
    case look
  }

  private var machine = PeerMachine()
  /// The identities that the client shows to servers; nil inside for nothing, after it was asked.
  private var identities: [Origin: SecIdentity?] = [:]

  /// The request of a connection that has a server show its certificates. Nothing of `request` is in it but its way there.
  static func look(
    for request: TransferRequest, within totalTimeout: Duration?, subject: UInt64
  ) -> TransferRequest {
    var bare = TransferRequest(url: request.url, method: "HEAD")
    (bare.proxy, bare.versions, bare.peerPolicy) = (request.proxy, request.versions, .show)
    (bare.idleTimeout, bare.totalTimeout, bare.subject) = (request.idleTimeout, totalTimeout, subject)
    return bare
  }

  /// A request shall go to the server at `origin`: its policies are set when it may.
  mutating func wanted(
    _ request: inout TransferRequest, at origin: Origin, for client: any LoadDecisions, in context: LoadContext
  ) -> Step {
    let (remembered, shown) = context.peers.withLock { peers in
      (client.remembersTrust ? peers.decision(on: origin) : nil, peers.certificates(of: origin))
    }
    let action = machine.wanted(origin, hasClient: client.decidesTrust, remembered: remembered, shown: shown)
    switch action {
    case .ask(let certificates): return .ask(certificates)
    case .look: return .look
    case .send(let policy):
      request.peerPolicy = policy
      return .send(over: chooseIdentity(for: &request, at: origin, client, context))
    }
  }

  /// Chooses the identity to show to the server, and over which connections: those of one identity are never used with another,
  /// nor without.
  private func chooseIdentity(
    for request: inout TransferRequest, at origin: Origin, _ client: any LoadDecisions, _ context: LoadContext
  ) -> Transport {
    let remembered = client.remembersTrust ? context.peers.withLock { $0.identity(for: origin) } : nil
    let decided = identities[origin] ?? remembered.map { .some($0) }
    guard let decided else {
      if client.decidesTrust { request.identityPolicy = .ask }
      return context.transport
    }
    guard let identity = decided?.identity else { return context.transport }
    request.identityPolicy = .use(identity)
    return context.transport(for: identity, origin)
  }

  /// The server showed certificates on which there is no decision. False when that happens too often.
  mutating func shown(_ certificates: [[UInt8]], by origin: Origin, in context: LoadContext) -> Bool {
    guard !certificates.isEmpty, machine.shown(origin) else { return false }
    context.peers.withLock { $0.note(certificates, of: origin) }
    return true
  }

  /// The client answered about the certificate `leaf`. What is no acceptance of the very certificate shown leaves it to the
  /// system's judgement.
  mutating func decided(
    _ answer: ChallengeAnswer, on origin: Origin, _ leaf: [UInt8], for client: (any LoadDecisions)?
  ) {
    let isFinal = client?.decidesTrust != true
    machine.decided(origin, leaf, accepts: answer.accepts(leaf, of: origin), isFinal: isFinal)
  }

  /// The client answered when the server wished for a certificate of its own. Without one the server decides whether it
  /// continues.
  mutating func decided(
    _ answer: ChallengeAnswer, identityAt origin: Origin, for client: (any LoadDecisions)?, in context: LoadContext
  ) {
    var identity: SecIdentity?
    if case .use(let credential as IdentityCredential) = answer {
      identity = credential.identity
      // The credential itself says for which loads it counts, whichever method gave it.
      if client?.remembersTrust == true, credential.persistence != .none {
        context.peers.withLock { $0.note(answer, to: IdentitySpace([], at: origin)) }
      }
    }
    identities[origin] = .some(identity)
  }
}

extension LoadContext {
  /// Certificates that a server showed, to be judged with the authorities of the context.
  func trust(_ certificates: [[UInt8]], of host: String) -> SecTrust {
    SecTrust(CertificateChain(certificates, host: host), trusting: configuration.wire.authorities.map(Array.init))
  }
}
