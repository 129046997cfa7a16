// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Public keys in certificates.
public enum PublicKey {
  /// The bits of the key in a certificate in DER, without the algorithm's name (RFC 5280 section 4.1.2.7, `subjectPublicKey`); nil
  /// where the bytes are no certificate.
  public static func bits(ofCertificate der: [UInt8]) -> [UInt8]? {
    guard let certificate = unsafe PeerCertificates.make(der) else { return nil }
    defer { unsafe X509_free(certificate) }
    guard let bits = unsafe X509_get0_pubkey_bitstr(certificate) else { return nil }
    let (start, count) = unsafe (ASN1_STRING_get0_data(bits), Int(ASN1_STRING_length(bits)))
    guard let start = unsafe start, count > 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// True if the bytes are one certificate in DER, and nothing else.
  public static func isCertificate(_ der: [UInt8]) -> Bool {
    guard let certificate = unsafe PeerCertificates.make(der) else { return false }
    defer { unsafe X509_free(certificate) }
    return unsafe PeerCertificates.der(certificate) == der
  }
}
