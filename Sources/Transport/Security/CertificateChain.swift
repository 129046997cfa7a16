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
  public func failure(
    trusting authorities: [UInt8]?, by rules: CertificateRules = CertificateRules()
  ) -> TransferFailure? {
    let failure = unsafe verified(trusting: authorities, by: rules) { context, leaf, isTrusted -> TransferFailure? in
      guard isTrusted else { return unsafe Self.failure(X509_STORE_CTX_get_error(context)) }
      guard let host = rules.name(for: host) else { return nil }
      return unsafe PeerCertificates.isFor(host, leaf) ? nil : Self.failure(X509_V_ERR_HOSTNAME_MISMATCH)
    }
    return failure ?? Self.failure(X509_V_ERR_UNSPECIFIED)
  }

  /// Has OpenSSL verify the chain, and gives `read` its context, the first certificate and the outcome. Returns nil where OpenSSL
  /// cannot begin.
  func verified<Result>(
    trusting authorities: [UInt8]?, by rules: CertificateRules,
    _ read: (_ context: OpaquePointer, _ leaf: OpaquePointer, _ isTrusted: Bool) -> Result
  ) -> Result? {
    guard let store = unsafe Self.makeStore(rules.areAnchorsAlone ? [] : authorities), let first = certificates.first,
      let leaf = unsafe PeerCertificates.make(first), let context = unsafe X509_STORE_CTX_new()
    else { return nil }
    unsafe Self.add(rules.anchors, to: store)
    let others = unsafe certificates.dropFirst().compactMap { unsafe PeerCertificates.make($0) }
    let untrusted = unsafe OPENSSL_sk_new_null()
    for index in unsafe others.indices { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer(others[index])) }
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe OPENSSL_sk_free(untrusted)
      unsafe PeerCertificates.free(others + [leaf])
      unsafe X509_STORE_free(store)
    }
    guard unsafe X509_STORE_CTX_init(context, store, leaf, untrusted) == 1,
      unsafe X509_STORE_CTX_set_default(context, rules.purpose.rawValue) == 1
    else { return nil }
    // The level that OpenSSL takes for connections, where the machine's configuration names no other.
    unsafe X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(context), 2)
    let isTrusted = unsafe X509_verify_cert(context) == 1
    defer { ERR_clear_error() }
    return unsafe read(context, leaf, isTrusted)
  }

  /// Translates OpenSSL's number (X509_V_ERR) into a failure.
  static func failure(_ number: Int32) -> TransferFailure {
    let text = unsafe X509_verify_cert_error_string(Int(number)).map { unsafe String(cString: $0) } ?? "unknown"
    return TransferFailure(
      FailureMap.certificateCause(Int(number)), description: "The server's certificate is not trusted: \(text).")
  }

  /// The trusted authorities, freed by the caller: `authorities` in PEM, or nil for the system's.
  static func makeStore(_ authorities: [UInt8]?) -> OpaquePointer? {
    guard let store = unsafe X509_STORE_new() else { return nil }
    if let authorities {
      unsafe add(authorities, to: store)
    } else if let file = PeerCertificates.systemFile {
      unsafe X509_STORE_load_file(store, file)
    } else {
      unsafe X509_STORE_set_default_paths(store)
    }
    unsafe trustAsCurl(store)
    ERR_clear_error()
    return unsafe store
  }

  /// Sets the flags that libcurl sets: an authority that is trusted need not be a root.
  static func trustAsCurl(_ store: OpaquePointer) {
    unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
  }

  private static func add(_ anchors: [[UInt8]], to store: OpaquePointer) {
    for der in anchors {
      guard let certificate = unsafe PeerCertificates.make(der) else { continue }
      unsafe X509_STORE_add_cert(store, certificate)
      unsafe X509_free(certificate)
    }
    ERR_clear_error()
  }

  /// Adds the certificates of PEM, and returns how many there were.
  @discardableResult static func add(_ pem: [UInt8], to store: OpaquePointer) -> Int {
    guard let memory = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return 0 }
    defer { unsafe BIO_free(memory) }
    var count = 0
    while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
      unsafe X509_STORE_add_cert(store, certificate)
      unsafe X509_free(certificate)
      count += 1
    }
    return count
  }
}
