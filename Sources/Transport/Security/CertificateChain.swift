// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The certificates that a server showed, to be judged at leisure: by the same rules as in the handshake.
public struct CertificateChain: Sendable, Hashable {
  /// In DER (RFC 5280 section 4.1), the server's own first, then the others in the order in which it sent them.
  public var certificates: [[UInt8]]
  /// The server that the request names: a name or an address, without brackets.
  public var host: String

  /// A chain as given.
  public init(_ certificates: [[UInt8]], host: String) {
    self.certificates = certificates
    self.host = host
  }

  /// Why the chain is not trusted now; nil when it is. `authorities` in PEM, or nil for the system's. Reads a file and
  /// takes some milliseconds.
  public func failure(trusting authorities: [UInt8]?) -> TransferFailure? {
    guard let store = Self.makeStore(authorities), let first = certificates.first,
      let leaf = PeerCertificates.make(first), let context = X509_STORE_CTX_new()
    else { return Self.failure(X509_V_ERR_UNSPECIFIED) }
    let others = certificates.dropFirst().compactMap { PeerCertificates.make($0) }
    let untrusted = OPENSSL_sk_new_null()
    for other in others { OPENSSL_sk_push(untrusted, UnsafeRawPointer(other)) }
    defer {
      X509_STORE_CTX_free(context)
      OPENSSL_sk_free(untrusted)
      for certificate in others + [leaf] { X509_free(certificate) }
      X509_STORE_free(store)
    }
    guard X509_STORE_CTX_init(context, store, leaf, untrusted) == 1,
      X509_STORE_CTX_set_default(context, "ssl_server") == 1
    else { return Self.failure(X509_V_ERR_UNSPECIFIED) }
    // The level that OpenSSL takes for connections, where the machine's configuration names no other.
    X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(context), 2)
    guard X509_verify_cert(context) == 1 else { return Self.failure(X509_STORE_CTX_get_error(context)) }
    return PeerCertificates.isFor(host, leaf) ? nil : Self.failure(X509_V_ERR_HOSTNAME_MISMATCH)
  }

  /// What OpenSSL's number (X509_V_ERR) means.
  static func failure(_ number: Int32) -> TransferFailure {
    let text = X509_verify_cert_error_string(Int(number)).map { String(cString: $0) } ?? "unknown"
    return TransferFailure(
      FailureMap.certificateCause(Int(number)), description: "The server's certificate is not trusted: \(text).")
  }

  /// The trusted authorities, freed by the caller: `authorities` in PEM, or nil for the system's.
  static func makeStore(_ authorities: [UInt8]?) -> OpaquePointer? {
    guard let store = X509_STORE_new() else { return nil }
    if let authorities {
      add(authorities, to: store)
    } else if let file = PeerCertificates.systemFile {
      X509_STORE_load_file(store, file)
    } else {
      X509_STORE_set_default_paths(store)
    }
    // As libcurl sets them: an authority that is trusted need not be a root.
    X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    ERR_clear_error()
    return store
  }

  private static func add(_ pem: [UInt8], to store: OpaquePointer) {
    guard let memory = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return }
    defer { BIO_free(memory) }
    while let certificate = PEM_read_bio_X509(memory, nil, nil, nil) {
      X509_STORE_add_cert(store, certificate)
      X509_free(certificate)
    }
  }
}
