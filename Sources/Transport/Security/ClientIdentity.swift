// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import HTTPRules

/// A certificate with its private key, to be shown to servers that ask for one (RFC 8446 section 4.4.2).
/// Safe: OpenSSL's objects live as long as this one.
@safe
public final class ClientIdentity: @unchecked Sendable {
  // Sendable: the objects are finished in `init`, only read afterwards, and OpenSSL counts references atomically.
  private let certificate: OpaquePointer
  private let key: OpaquePointer
  private let others: [OpaquePointer]

  /// An identity from a PKCS #12 file (RFC 7292).
  /// - Throws: `PKCS12Fault`.
  public init(pkcs12 bytes: [UInt8], opening passphrase: String) throws(PKCS12Fault) {
    let file = unsafe try PKCS12File.read(bytes, passphrase)
    unsafe (certificate, key, others) = (file.certificate, file.key, file.others)
  }

  /// The same; nil when the passphrase or the file is wrong, or it holds no key.
  public convenience init?(pkcs12 bytes: [UInt8], passphrase: String) {
    do { try self.init(pkcs12: bytes, opening: passphrase) } catch { return nil }
  }

  /// An identity from PEM texts (RFC 7468): its certificate, followed by those that lead to an authority, and its key,
  /// which may be encrypted. nil when one of them cannot be read or the key belongs to another certificate.
  public init?(certificates pem: [UInt8], key keyText: [UInt8], passphrase: String = "") {
    var certificates = unsafe Self.certificates(in: pem)
    let key = unsafe Self.key(in: keyText, passphrase)
    ERR_clear_error()
    guard let key = unsafe key, let first = unsafe certificates.first, unsafe X509_check_private_key(first, key) == 1
    else {
      unsafe EVP_PKEY_free(key)
      unsafe PeerCertificates.free(certificates)
      ERR_clear_error()
      return nil
    }
    unsafe self.key = key
    unsafe certificate = certificates.removeFirst()
    unsafe others = certificates
  }

  deinit {
    unsafe EVP_PKEY_free(key)
    unsafe PeerCertificates.free([certificate] + others)
  }

  /// The hash of the certificate: identities differ by it.
  public var fingerprint: [UInt8] { unsafe MessageDigest.sha256.hash(PeerCertificates.der(certificate)) ?? [] }

  /// Its certificate in DER, followed by those of the file that lead from it to an authority, each signed by the next by its name.
  public var certificates: [[UInt8]] {
    var chain = unsafe [certificate]
    while let last = unsafe chain.last,
      let next = unsafe others.first(where: { unsafe !chain.contains($0) && X509_check_issued($0, last) == X509_V_OK })
    {
      unsafe chain.append(next)
    }
    return unsafe chain.map { unsafe PeerCertificates.der($0) }
  }

  /// The name that the file gives to the certificate (RFC 2985 section 5.5.1); nil where it gives none.
  public var label: String? {
    var count: Int32 = 0
    guard let start = unsafe X509_alias_get0(certificate, &count), count > 0 else { return nil }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// The bytes by which the file says which key belongs to the certificate (RFC 2985 section 5.5.2); nil where it has none.
  public var keyID: [UInt8]? {
    var count: Int32 = 0
    guard let start = unsafe X509_keyid_get0(certificate, &count), count > 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// A SHA-1 of the public key, without the algorithm's name; nil where OpenSSL offers none.
  public var publicKeyHash: [UInt8]? {
    unsafe PublicKey.bits(ofCertificate: PeerCertificates.der(certificate)).flatMap { MessageDigest.sha1.hash($0) }
  }

  /// Shows the identity on one connection (SSL).
  func use(on connection: OpaquePointer?) -> Bool {
    guard unsafe SSL_use_certificate(connection, certificate) == 1, unsafe SSL_use_PrivateKey(connection, key) == 1
    else {
      return false
    }
    for index in unsafe others.indices {
      // SSL_add1_chain_cert, a macro.
      unsafe SSL_ctrl(connection, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(others[index]))
    }
    return true
  }

  private static func certificates(in pem: [UInt8]) -> [OpaquePointer] {
    guard let memory = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return unsafe [] }
    defer { unsafe BIO_free(memory) }
    var found: [OpaquePointer] = unsafe []
    while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) { unsafe found.append(certificate) }
    return unsafe found
  }

  /// Without a callback OpenSSL takes the last argument for the passphrase, and with an empty one does not prompt.
  private static func key(in pem: [UInt8], _ passphrase: String) -> OpaquePointer? {
    guard let memory = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return nil }
    defer { unsafe BIO_free(memory) }
    var text = Array(passphrase.utf8CString)
    return unsafe text.withUnsafeMutableBytes { unsafe PEM_read_bio_PrivateKey(memory, nil, nil, $0.baseAddress) }
  }
}

/// The policy of a transfer when a server asks for a client certificate.
public enum IdentityPolicy: Sendable {
  /// Shows nothing.
  case none
  /// Ends with `TransferFailure.Cause.identityUndecided`, and nothing of the request is sent.
  case ask
  /// Shows this one. The transport must be used with this one alone: libcurl does not distinguish connections by it
  /// (CVE-2026-8932).
  case use(ClientIdentity)
}
