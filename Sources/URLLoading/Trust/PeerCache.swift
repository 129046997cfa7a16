// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// The knowledge of a context's loads about servers: the certificates that they showed last, and the decisions for all loads
/// whose clients share decisions. What one load's client decided for that load alone is in its `PeerMachine`. Pure.
struct PeerCache {
  /// Servers that are kept; more, and all are forgotten.
  static let limit = 512

  private var shown: [Origin: [[UInt8]]] = [:]
  private var decisions: [Origin: PeerPolicy] = [:]
  private var identities: [Origin: SecIdentity] = [:]

  /// Returns the certificates that the server showed last.
  func certificates(of origin: Origin) -> [[UInt8]]? { shown[origin] }

  /// Returns the decision for all loads of a client that remembers.
  func decision(on origin: Origin) -> PeerPolicy? { decisions[origin] }

  /// The server showed these; a decision about others is forgotten.
  mutating func note(_ certificates: [[UInt8]], of origin: Origin) {
    if shown.count >= Self.limit { (shown, decisions, identities) = ([:], [:], [:]) }
    if shown[origin]?.first != certificates.first { decisions[origin] = nil }
    shown[origin] = certificates
  }

  /// Returns the identity shown to the server when it asks for a certificate.
  func identity(for origin: Origin) -> SecIdentity? { identities[origin] }

  // MARK: - Answers that count for all

  /// A client answered a challenge about a server, or about a client certificate. A refusal is no answer
  /// for others: they are asked themselves.
  mutating func note(_ answer: ChallengeAnswer, to space: URLProtectionSpace) {
    switch (answer, space) {
    case (.use(let credential as IdentityCredential), is IdentitySpace):
      if credential.persistence != .none { identities[Origin(space)] = credential.identity }
    case (.use, let space as TrustSpace), (.performDefault, let space as TrustSpace):
      guard let leaf = space.trust.chain.certificates.first else { return }
      let accepts = answer.accepts(leaf, of: Origin(space))
      decisions[Origin(space)] = .only(leaf, verifies: !accepts)
    default: break
    }
  }

  /// Finds the answer given to this very question before; nil where there was none, or where the server showed another
  /// certificate.
  func answer(to space: URLProtectionSpace) -> ChallengeAnswer? {
    if space is IdentitySpace {
      return identities[Origin(space)].map { .use(IdentityCredential($0, .forSession)) }
    }
    guard let space = space as? TrustSpace, case .only(let leaf, let verifies) = decisions[Origin(space)],
      leaf == space.trust.chain.certificates.first
    else { return nil }
    return verifies ? .performDefault : .use(TrustCredential(space.trust))
  }
}

extension ChallengeAnswer {
  /// True if it accepts the very certificate that the server at `origin` showed.
  func accepts(_ leaf: [UInt8], of origin: Origin) -> Bool {
    guard case .use(let credential as TrustCredential) = self else { return false }
    return credential.trust.chain.certificates.first == leaf && credential.trust.chain.host == origin.host
  }
}

extension Origin {
  fileprivate init(_ space: URLProtectionSpace) {
    self.init(scheme: space.protocol.flatMap { HTTPScheme(name: $0) } ?? .https, host: space.host, port: space.port)
  }
}
