// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A certificate authority of the lesson server's own, made anew each time and known to no other program.
///
/// Several servers may share one, so that a client trusts them all with one PEM. Any thread may use it.
public final class CertificateAuthority: Sendable {
  /// The authority's certificate as PEM text, for a client's list of trusted authorities.
  public let pem: String
  let certificate: Certificate

  /// A new authority, within a millisecond or so.
  ///
  /// - Throws: `cannotMakeCertificates` when OpenSSL fails.
  public init() throws(LessonServerError) {
    certificate = try Certificate(.init(commonName: "Lesson Authority", isAuthority: true, days: -1...365))
    pem = try certificate.makePEM()
  }

  /// A certificate for a client with its key, as PEM texts: signed by this authority, for this name. `days` are counted
  /// from now.
  public func makeClient(
    named name: String, days: ClosedRange<Int> = -1...30
  ) throws(LessonServerError) -> (certificate: String, key: String) {
    let contents = Certificate.Contents(commonName: name, isClient: true, days: days)
    let made = try Certificate(contents, issuer: certificate)
    return (try made.makePEM(), try made.makeKeyPEM())
  }

  /// The same as a PKCS #12 file, encrypted with this passphrase.
  public func makeClientFile(named name: String, passphrase: String) throws(LessonServerError) -> [UInt8] {
    try Certificate(Certificate.Contents(commonName: name, isClient: true), issuer: certificate).makePKCS12(passphrase)
  }

  /// Makes servers with `context` (SSL_CTX) ask for certificates of this authority.
  func trust(in context: OpaquePointer) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.certificate)
    SSL_CTX_add_client_CA(context, certificate.certificate)
  }
}

extension LessonServerError {
  static func cannotMakeCertificates(_ step: String) -> Self {
    Self(
      code: .cannotMakeCertificates,
      description: "OpenSSL cannot make the lesson server's certificates: \(step) failed. "
        + "Check that libssl 3 is installed, then start again.")
  }
}
