// SPDX-License-Identifier: Apache-2.0
public import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// A certificate with its private key, for servers that ask for a client certificate.
///
/// On Apple's systems it comes from a keychain or from `SecPKCS12Import`; here from that, or from what such a file holds.
public final class SecIdentity: Sendable {
  let identity: ClientIdentity

  init(_ identity: ClientIdentity) {
    self.identity = identity
  }

  /// An identity from the bytes of a PKCS #12 file; nil when they or the passphrase are wrong.
  public init?(pkcs12: Data, passphrase: String) {
    guard let identity = ClientIdentity(pkcs12: Array(pkcs12), passphrase: passphrase) else { return nil }
    self.identity = identity
  }

  /// An identity from PEM: the certificate, followed by those that lead from it to an authority, and its key. nil when
  /// they cannot be read or do not belong together.
  public init?(certificates: Data, key: Data, passphrase: String = "") {
    guard let identity = ClientIdentity(certificates: Array(certificates), key: Array(key), passphrase: passphrase)
    else {
      return nil
    }
    self.identity = identity
  }
}

/// The method of a challenge in which a server asks for a certificate. The toolchain's constant is marked unavailable.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

/// A protection space with the names of the authorities that its server accepts.
final class IdentitySpace: URLProtectionSpace, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
  let names: [Data]

  init(_ names: [[UInt8]], at origin: Origin) {
    self.names = names.map { Data($0) }
    super.init(
      host: origin.host, port: origin.port, protocol: origin.scheme.rawValue, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodClientCertificate)
  }
}

/// A credential with a client certificate.
final class IdentityCredential: URLCredential, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
  let shown: SecIdentity

  init(_ identity: SecIdentity, _ persistence: Persistence) {
    shown = identity
    super.init(user: "", password: "", persistence: persistence)
  }

  /// Not supported: a private key is never archived.
  required init?(coder: NSCoder) {
    nil
  }

  override var user: String? { nil }
  override var password: String? { nil }
  override var hasPassword: Bool { false }
  override func isEqual(_ object: Any?) -> Bool { (object as? IdentityCredential)?.shown === shown }
  override var hash: Int { ObjectIdentifier(shown).hashValue }
}

extension URLProtectionSpace {
  /// The names of the authorities whose certificates the server accepts, in DER (RFC 5280 section 4.1.2.4), empty for
  /// any; nil unless `authenticationMethod` is `NSURLAuthenticationMethodClientCertificate`.
  public var distinguishedNames: [Data]? { (self as? IdentitySpace)?.names }
}

extension URLCredential {
  /// Who the client is; nil for a credential of another kind.
  public var identity: SecIdentity? { (self as? IdentityCredential)?.shown }

  /// The certificates that lead from the client's to an authority. Always empty: the identity carries them itself.
  public var certificates: [Any] { [] }
}

extension TrustCredentialMaking where Self: URLCredential {
  /// A credential that shows `identity`. It carries the certificates that lead to an authority itself, so `certificates`
  /// are not looked at. With `.none` it counts for one load, otherwise for its session.
  public init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    guard let credential = IdentityCredential(identity, persistence) as? Self else {
      ProgrammerError.stop(
        "URLCredential", "URLCredential(identity:certificates:persistence:) makes no subclass of URLCredential.")
    }
    self = credential
  }
}
