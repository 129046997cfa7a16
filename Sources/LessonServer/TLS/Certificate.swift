// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A certificate with its private key, made in memory by OpenSSL; no file and no tool is involved.
final class Certificate: @unchecked Sendable {
  // Sendable: both objects are finished in init, only read afterwards, and OpenSSL counts references atomically.
  let certificate: OpaquePointer
  let key: OpaquePointer
  /// True if OpenSSL refuses to show it unless its security level allows weak keys and hashes.
  let isWeak: Bool

  /// The contents of a certificate; days are counted from now.
  struct Contents {
    var commonName: String
    var isAuthority = false
    var isClient = false
    var names: String?
    /// The constraint on what an authority may sign for, as OpenSSL writes it.
    var constraint: String?
    /// The length of an RSA key; without one it is a key on the curve P-256.
    var bits: CInt?
    var isSignedOverSHA1 = false
    var days: ClosedRange<Int> = -1...30
  }

  /// Makes a key and a certificate for it, signed by `issuer` or, without one, by itself.
  init(_ contents: Contents, issuer: Certificate? = nil) throws(LessonServerError) {
    isWeak = contents.isSignedOverSHA1 || contents.bits ?? 2048 < 2048
    let key = if let bits = contents.bits { try Self.makeRSAKey(bits) } else { try Self.makeKey() }
    guard let certificate = X509_new() else {
      EVP_PKEY_free(key)
      throw .cannotMakeCertificates("X509_new")
    }
    self.key = key
    self.certificate = certificate
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...UInt64(Int64.max)))
    X509_gmtime_adj(X509_getm_notBefore(certificate), contents.days.lowerBound * 86_400)
    X509_gmtime_adj(X509_getm_notAfter(certificate), contents.days.upperBound * 86_400)
    X509_set_pubkey(certificate, key)
    X509_NAME_add_entry_by_txt(
      X509_get_subject_name(certificate), "CN", Self.utf8, contents.commonName, -1, -1, 0)
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer?.certificate ?? certificate))
    try addExtensions(contents, issuer)
    guard X509_sign(certificate, issuer?.key ?? key, contents.isSignedOverSHA1 ? EVP_sha1() : EVP_sha256()) > 0 else {
      throw .cannotMakeCertificates("X509_sign")
    }
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// The certificate as PEM text.
  func makePEM() throws(LessonServerError) -> String {
    String(decoding: try Self.written("PEM_write_bio_X509") { PEM_write_bio_X509($0, certificate) }, as: UTF8.self)
  }

  /// The key as PEM text, not encrypted.
  func makeKeyPEM() throws(LessonServerError) -> String {
    let bytes = try Self.written("PEM_write_bio_PrivateKey") {
      PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Certificate and key as a PKCS #12 file.
  func makePKCS12(_ passphrase: String) throws(LessonServerError) -> [UInt8] {
    guard let file = PKCS12_create(passphrase, "client", key, certificate, nil, 0, 0, 0, 0, 0) else {
      throw .cannotMakeCertificates("PKCS12_create")
    }
    defer { PKCS12_free(file) }
    return try Self.written("i2d_PKCS12_bio") { i2d_PKCS12_bio($0, file) }
  }

  /// Returns the bytes that `write` writes into memory.
  private static func written(
    _ step: String, _ write: (OpaquePointer) -> CInt
  ) throws(LessonServerError) -> [UInt8] {
    guard let memory = BIO_new(BIO_s_mem()) else { throw .cannotMakeCertificates("BIO_new") }
    defer { BIO_free(memory) }
    guard write(memory) == 1 else { throw .cannotMakeCertificates(step) }
    var bytes: [UInt8] = Array(repeating: 0, count: 16 << 10)
    let count = BIO_read(memory, &bytes, CInt(bytes.count))
    return Array(bytes.prefix(Int(max(count, 0))))
  }

  /// OpenSSL's MBSTRING_UTF8, an expression macro that the importer leaves out.
  private static let utf8: CInt = 0x1000

  private static func makeKey() throws(LessonServerError) -> OpaquePointer {
    guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else {
      throw .cannotMakeCertificates("EVP_PKEY_CTX_new_id")
    }
    defer { EVP_PKEY_CTX_free(maker) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(maker, &key) == 1, let key
    else { throw .cannotMakeCertificates("EVP_PKEY_keygen") }
    return key
  }

  private static func makeRSAKey(_ bits: CInt) throws(LessonServerError) -> OpaquePointer {
    guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else {
      throw .cannotMakeCertificates("EVP_PKEY_CTX_new_id")
    }
    defer { EVP_PKEY_CTX_free(maker) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(maker, bits) == 1,
      EVP_PKEY_keygen(maker, &key) == 1, let key
    else { throw .cannotMakeCertificates("EVP_PKEY_keygen") }
    return key
  }

  private func addExtensions(_ contents: Contents, _ issuer: Certificate?) throws(LessonServerError) {
    var extensions: [(CInt, String)] = [
      (NID_basic_constraints, contents.isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE"),
      (NID_key_usage, contents.isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature"),
      (NID_subject_key_identifier, "hash"),
    ]
    if issuer != nil { extensions.append((NID_authority_key_identifier, "keyid")) }
    if !contents.isAuthority { extensions.append((NID_ext_key_usage, contents.isClient ? "clientAuth" : "serverAuth")) }
    if let names = contents.names { extensions.append((NID_subject_alt_name, names)) }
    if let constraint = contents.constraint { extensions.append((NID_name_constraints, constraint)) }
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer?.certificate ?? certificate, certificate, nil, nil, 0)
    for (kind, value) in extensions {
      guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else {
        throw .cannotMakeCertificates("X509V3_EXT_conf_nid")
      }
      X509_add_ext(certificate, made, -1)
      X509_EXTENSION_free(made)
    }
  }
}
