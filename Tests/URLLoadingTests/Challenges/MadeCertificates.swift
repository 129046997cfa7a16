// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Foundation
import Testing

@testable import LessonServer
@testable import URLLoading

/// Certificates and files of keys that no server of the lessons shows.
enum MadeCertificates {
  /// A client's certificate, the authority in between that signed it, and the one above.
  static func clientChain() throws -> (client: Certificate, middle: Certificate, root: Certificate) {
    let root = try Certificate(.init(commonName: "Root of tests", isAuthority: true))
    let middle = try Certificate(.init(commonName: "Middle of tests", isAuthority: true), issuer: root)
    return (try Certificate(.init(commonName: "anna", isClient: true), issuer: middle), middle, root)
  }

  /// A PKCS #12 file. Without `own` it holds the others alone; without `isNamed` the key of `own` stands beside its certificate with
  /// neither name nor number.
  static func file(
    _ own: Certificate?, _ others: [Certificate] = [], passphrase: String?, label: String? = nil, isNamed: Bool = true,
    hasCode: Bool = true
  ) throws -> Data {
    let stack = OPENSSL_sk_new_null()
    defer { OPENSSL_sk_free(stack) }
    for other in isNamed ? others : others + [own].compactMap(\.self) {
      OPENSSL_sk_push(stack, UnsafeRawPointer(other.certificate))
    }
    let made = PKCS12_create(
      passphrase, label, own?.key, isNamed ? own?.certificate : nil, stack, 0, 0, 0, hasCode ? 0 : -1, 0)
    let file = try #require(made)
    defer { PKCS12_free(file) }
    var bytes = [UInt8](repeating: 0, count: Int(i2d_PKCS12(file, nil)))
    bytes.withUnsafeMutableBufferPointer { buffer in
      var end = buffer.baseAddress
      _ = i2d_PKCS12(file, &end)
    }
    return Data(bytes)
  }

  /// A certificate whose subject has these parts, as `("CN", "anna")`, and alternative names in OpenSSL's words.
  static func certificate(_ parts: [(String, String)], names: String? = nil) throws -> SecCertificate {
    let made = try Certificate(.init(commonName: "", names: names))
    let subject = try #require(X509_NAME_new())
    defer { X509_NAME_free(subject) }
    for (kind, value) in parts {
      try #require(X509_NAME_add_entry_by_txt(subject, kind, 0x1000, value, -1, -1, 0) == 1)
    }
    X509_set_subject_name(made.certificate, subject)
    try #require(X509_sign(made.certificate, made.key, EVP_sha256()) > 0)
    return try made.shown
  }
}

extension Certificate {
  /// The certificate as the Security functions take it.
  var shown: SecCertificate { get throws { SecCertificate(try PEM.certificate(try makePEM())) } }
}
