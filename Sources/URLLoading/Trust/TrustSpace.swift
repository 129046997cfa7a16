// SPDX-License-Identifier: Apache-2.0
import Foundation
public import FoundationNetworking
import HTTPRules
import Transport

/// The method of a challenge in which a server shows its certificates. The toolchain's constant is marked unavailable.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// A protection space with the certificates that its server showed.
final class TrustSpace: URLProtectionSpace, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
  let trust: SecTrust

  init(_ trust: SecTrust, at origin: Origin) {
    self.trust = trust
    super.init(
      host: origin.host, port: origin.port, protocol: origin.scheme.rawValue, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodServerTrust)
  }
}

/// A credential that accepts a server as it showed itself.
final class TrustCredential: URLCredential, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
  let trust: SecTrust

  init(_ trust: SecTrust) {
    self.trust = trust
    super.init(user: "", password: "", persistence: .forSession)
  }

  /// Not supported: a decision about a server is never kept.
  required init?(coder: NSCoder) {
    nil
  }

  override var user: String? { nil }
  override var password: String? { nil }
  override var hasPassword: Bool { false }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? TrustCredential)?.trust.chain == trust.chain
  }

  override var hash: Int { trust.chain.hashValue }
}

extension URLProtectionSpace {
  /// The certificates that the server showed; nil unless `authenticationMethod` is
  /// `NSURLAuthenticationMethodServerTrust`.
  public var serverTrust: SecTrust? { (self as? TrustSpace)?.trust }
}

/// How a server that showed its certificates to another process is judged in this one.
extension URLProtectionSpace {
  /// The space of an https server that showed `certificates`, in DER, its own first.
  package static func make(serverAt host: String, port: Int, certificates: [Data]) -> URLProtectionSpace {
    let chain = CertificateChain(certificates.map(Array.init), host: host)
    return TrustSpace(SecTrust(chain, trusting: nil), at: Origin(scheme: .https, host: host, port: port))
  }
}

extension URLCredential {
  /// True if it accepts the server that showed `certificates`, in DER, its own first.
  package func trusts(_ certificates: [Data]) -> Bool {
    guard let accepted = (self as? TrustCredential)?.trust.chain.certificates.first else { return false }
    return certificates.first.map(Array.init) == accepted
  }
}

/// The protocol through which `URLCredential` is extended: only an initializer of a protocol may choose the class that it
/// makes.
public protocol TrustCredentialMaking {}

extension URLCredential: TrustCredentialMaking {}

extension TrustCredentialMaking where Self: URLCredential {
  /// A credential that accepts a server which shows these certificates, whatever the system thinks of them. It is good
  /// for the very host and port that showed them.
  public init(trust: SecTrust) {
    guard let credential = TrustCredential(trust) as? Self else {
      ProgrammerError.stop("URLCredential", "URLCredential(trust:) makes a URLCredential, not one of its subclasses.")
    }
    self = credential
  }
}
