// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Transport

/// A certificate, as a server showed it or a program brought it along.
///
/// Apple's type is a part of the Security framework; this is the little of it that pinning code uses.
public final class SecCertificate: Sendable, Hashable {
  let der: [UInt8]

  init(_ der: [UInt8]) {
    self.der = der
  }

  /// True if both are the same, byte for byte.
  public static func == (one: SecCertificate, other: SecCertificate) -> Bool { one.der == other.der }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// The certificate in these bytes, as a program brings it along; nil where they are not one certificate in DER and nothing else.
/// - Parameter allocator: without effect; nil.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
  let der = Array(data)
  return PublicKey.isCertificate(der) ? SecCertificate(der) : nil
}

/// The certificate in DER (RFC 5280 section 4.1). Apple returns CFData, for which `as Data` stands in the same place.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.der)
}

/// A name of the certificate's subject for people: its common name, the last of several, or else the organizational unit, the
/// organization, a mail address, a host; nil where it has none of them. Apple's picks in its own order where there are several.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  CertificateNames(certificate: certificate.der)?.summary
}

/// Gives the common name of the certificate's subject, the last of several. It says nothing about a server (RFC 9110 section 4.3.4).
/// - Parameter commonName: set to it on success.
/// - Returns: `errSecSuccess`; -26276, Apple's errSecInternal, where there is none.
@discardableResult
public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  guard let name = CertificateNames(certificate: certificate.der)?.commonNames.last else { return -26276 }
  unsafe commonName.pointee = name
  return errSecSuccess
}
