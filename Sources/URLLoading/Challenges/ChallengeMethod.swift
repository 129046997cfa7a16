// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking

/// How a challenge wants to be answered: the methods of protection spaces that loads ask with.
package enum ChallengeMethod: Hashable, Sendable, CaseIterable {
  case basic, digest, ntlm, negotiate, clientCertificate, serverTrust

  /// The method with one of the `NSURLAuthenticationMethod` names; nil for another one.
  package init?(name: String) {
    guard let method = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = method
  }

  /// The method of a space; nil for one that no load asks with.
  package init?(_ space: URLProtectionSpace) { self.init(name: space.authenticationMethod) }

  /// The constant that a protection space has.
  package var name: String {
    switch self {
    case .basic: NSURLAuthenticationMethodHTTPBasic
    case .digest: NSURLAuthenticationMethodHTTPDigest
    case .ntlm: NSURLAuthenticationMethodNTLM
    case .negotiate: NSURLAuthenticationMethodNegotiate
    case .clientCertificate: NSURLAuthenticationMethodClientCertificate
    case .serverTrust: NSURLAuthenticationMethodServerTrust
    }
  }

  /// True if the handshake of TLS asks, before there is a request.
  package var isTLS: Bool { self == .clientCertificate || self == .serverTrust }

  /// True if the answer holds for a connection and so for the session, whose delegate is asked first (B.14).
  package var concernsSession: Bool {
    switch self {
    case .basic, .digest: false
    case .ntlm, .negotiate, .clientCertificate, .serverTrust: true
    }
  }
}
