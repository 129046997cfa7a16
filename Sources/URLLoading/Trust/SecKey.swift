// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Transport

/// A public key, as it stands in a certificate.
///
/// Apple's type is a part of the Security framework; this is the little of it that pinning code uses.
public final class SecKey: Sendable, Hashable {
  fileprivate let bytes: [UInt8]

  init?(certificate der: [UInt8]) {
    guard let bytes = PublicKey.bits(ofCertificate: der) else { return nil }
    self.bytes = bytes
  }

  /// True if both are the same, byte for byte.
  public static func == (one: SecKey, other: SecKey) -> Bool { one.bytes == other.bytes }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The public key of a certificate; nil where it cannot be read.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  SecKey(certificate: certificate.der)
}

/// The key's bytes, as Apple gives them: for RSA the modulus and the exponent in DER (PKCS #1, RFC 8017 appendix A.1.1), for keys
/// of elliptic curves the point with its leading 04 (SEC 1 section 2.3.3). They do not name the algorithm.
/// - Parameter error: an error that the caller takes over with `takeRetainedValue()`, as of Apple's function. Never set, since every
///   `SecKey` here is a public key.
public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  Data(key.bytes)
}
