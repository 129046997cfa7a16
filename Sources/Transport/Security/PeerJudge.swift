// SPDX-License-Identifier: Apache-2.0
import CCurl
import COpenSSL
import HTTPRules

/// Judges the certificates of one TLS connection in the midst of its handshake, before anything else is sent.
///
/// libcurl asks OpenSSL alone, which lets a certificate without alternative names pass by its common name; so the judging
/// is done here, for every connection. The judge belongs to the connection's SSL_CTX, which lets it go: a server may
/// negotiate again long after the transfer that made the connection has ended. It is used on the I/O thread alone.
final class PeerJudge {
  private var policy: PeerPolicy
  private let host: String
  private var identityPolicy: IdentityPolicy
  /// True if the handshake waits for the client's decision; it fails otherwise.
  private let suspendsHandshake: Bool
  /// The certificates that the server showed, in DER, its own first; empty when an earlier session was taken up again.
  private(set) var certificates: [[UInt8]] = []
  /// True if the server said that it sends nothing more (close_notify, RFC 8446 section 6.1).
  private(set) var hasSaidGoodbye = false
  /// The names of the authorities whose certificates the server accepts from its client, in DER; nil unless it asked.
  private(set) var acceptedAuthorities: [[UInt8]]?
  /// True if the server's certificate was good enough.
  private(set) var hasAccepted = false
  /// The agreement of the handshake; nil before its end.
  private(set) var agreement: TLSAgreement?
  /// True if the connection was refused, or waits, because the client has to decide first.
  private(set) var isUndecided = false
  /// True if the connection speaks HTTP/2, as ALPN chose (RFC 7301).
  private(set) var speaksHTTP2 = false
  /// The bytes that the connection has read ahead.
  let ahead = ReadAhead()
  /// The connection's last records, where it speaks HTTP/2.
  let records = LastRecords()

  init(_ policy: PeerPolicy, _ identityPolicy: IdentityPolicy, host: String, suspendsHandshake: Bool = false) {
    self.policy = policy
    self.identityPolicy = identityPolicy
    self.host = host
    self.suspendsHandshake = suspendsHandshake
  }

  /// The client has decided about what a suspended handshake waits for.
  func decide(_ policy: PeerPolicy, _ identityPolicy: IdentityPolicy) {
    (self.policy, self.identityPolicy) = (policy, identityPolicy)
    isUndecided = false
  }

  /// Makes the connections of `context` (SSL_CTX) ask this judge. False when that is impossible; then there must be no
  /// connection.
  func judge(_ context: OpaquePointer) -> Bool {
    let retained = unsafe Unmanaged.passRetained(self)
    guard Self.place >= 0, unsafe SSL_CTX_set_ex_data(context, Self.place, retained.toOpaque()) == 1 else {
      unsafe retained.release()
      return false
    }
    unsafe ReadAhead.prepare(context)
    unsafe SSL_CTX_set_cert_verify_callback(context, Self.verify, retained.toOpaque())
    // From 8.17 on libcurl sets SSL_VERIFY_NONE and checks the result after the handshake. OpenSSL would send the client's
    // certificate to a server that it does not trust.
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    unsafe SSL_CTX_set_info_callback(context, Self.listen)
    unsafe SSL_CTX_set_cert_cb(context, Self.identify, retained.toOpaque())
    return true
  }

  private static let place = unsafe CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil,
    { _, judge, _, _, _, _ in
      if let judge = unsafe judge { unsafe Unmanaged<PeerJudge>.fromOpaque(judge).release() }
    })

  /// The verdict about the client's certificate when the connection is lost before the first answer. Over TLS 1.3 a
  /// server that refuses the client does so when the request is already on its way, and its alert is often lost.
  var clientFault: TransferFailure.Cause? {
    guard acceptedAuthorities != nil else { return nil }
    if case .use = identityPolicy { return .clientCertificateRejected }
    return .clientCertificateRequired
  }

  /// The server asks for a certificate: what was set is shown, or nothing. A negative answer makes the handshake wait
  /// (SSL_CTX_set_cert_cb).
  private static let identify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
    connection, judge in
    guard let judge = unsafe judge else { return 1 }
    let names = unsafe SSL_get_client_CA_list(connection)
    let asked = unsafe Unmanaged<PeerJudge>.fromOpaque(judge).takeUnretainedValue()
    asked.acceptedAuthorities = unsafe (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
      unsafe OPENSSL_sk_value(names, index).map { unsafe PeerCertificates.der(name: OpaquePointer($0)) }
    }
    return unsafe asked.show(on: connection)
  }

  /// Shows what was decided on.
  private func show(on connection: OpaquePointer?) -> Int32 {
    switch identityPolicy {
    case .ask where suspendsHandshake:
      isUndecided = true
      return -1
    case .ask, .none: return 1
    case .use(let identity): return unsafe identity.use(on: connection) ? 1 : 0
    }
  }

  /// Notes the agreement, and the server's goodbye: libcurl takes an end of the connection for an end of the body,
  /// whether or not the server meant it.
  private static let listen: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { connection, event, alert in
    let isDone = event & SSL_CB_HANDSHAKE_DONE != 0
    let isGoodbye = event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT && alert & 0xff == SSL_AD_CLOSE_NOTIFY
    guard isDone || isGoodbye, let judge = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), place) else {
      return
    }
    let listener = unsafe Unmanaged<PeerJudge>.fromOpaque(judge).takeUnretainedValue()
    if isGoodbye { listener.hasSaidGoodbye = true }
    guard isDone, let connection = unsafe connection, let cipher = unsafe SSL_get_current_cipher(connection) else {
      return
    }
    let agreement = unsafe TLSAgreement(
      version: UInt16(truncatingIfNeeded: SSL_version(connection)), cipherSuite: SSL_CIPHER_get_protocol_id(cipher))
    listener.agreement = agreement
    listener.speaksHTTP2 = unsafe choseHTTP2(connection)
    guard listener.speaksHTTP2 else { return unsafe listener.ahead.begin(on: connection) }
    if CurlFacts.current.endsStreamsWithConnection { unsafe listener.records.begin(on: connection, agreement) }
    if CurlFacts.current.readsAhead { unsafe listener.ahead.share(connection) }
  }

  private static func choseHTTP2(_ connection: OpaquePointer) -> Bool {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    unsafe SSL_get0_alpn_selected(connection, &name, &length)
    return unsafe length == 2 && name?[0] == UInt8(ascii: "h")
  }

  private static let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, judge in
    guard let store = unsafe store, let judge = unsafe judge else { return 0 }
    let decider = unsafe Unmanaged<PeerJudge>.fromOpaque(judge).takeUnretainedValue()
    let isAccepted = unsafe decider.accepts(store)
    decider.hasAccepted = isAccepted && !decider.isUndecided
    return isAccepted ? 1 : 0
  }

  private func accepts(_ store: OpaquePointer) -> Bool {
    guard let leaf = unsafe X509_STORE_CTX_get0_cert(store) else { return false }
    certificates = unsafe PeerCertificates.chain(of: store, leaf)
    switch policy {
    case .verify: return unsafe isTrusted(store, leaf)
    case .show: return unsafe isUndecided(store)
    case .only(let wanted, let verifies):
      guard certificates.first == wanted else { return unsafe isUndecided(store) }
      if verifies { return unsafe isTrusted(store, leaf) }
      unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
      return true
    }
  }

  private func isTrusted(_ store: OpaquePointer, _ leaf: OpaquePointer) -> Bool {
    guard unsafe X509_verify_cert(store) == 1 else { return false }
    if unsafe PeerCertificates.isFor(host, leaf) { return true }
    unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH)
    return false
  }

  /// A patient judge's answer makes OpenSSL ask again (SSL_set_retry_verify).
  private func isUndecided(_ store: OpaquePointer) -> Bool {
    isUndecided = true
    if suspendsHandshake,
      let connection = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    {
      return unsafe SSL_ctrl(OpaquePointer(connection), SSL_CTRL_SET_RETRY_VERIFY, 0, nil) > 0
    }
    unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
    return false
  }
}

extension PeerPolicy {
  /// The value of CURLOPT_PINNEDPUBLICKEY: nil where any key will do. libcurl shares connections only where it is the
  /// same; so the hash of the whole certificate stands in it, beside that of its key. No key is good enough for `show`.
  var pinnedKeys: String? {
    switch self {
    case .verify: return nil
    case .show: return "sha256//\(Base64.text([UInt8](repeating: 0, count: 32)))"
    case .only(let certificate, let verifies):
      let own = MessageDigest.sha256.hash(certificate + [verifies ? 1 : 0]) ?? []
      return PeerCertificates.publicKey(of: certificate).flatMap { MessageDigest.sha256.hash($0) }
        .map { "sha256//\(Base64.text($0));sha256//\(Base64.text(own))" } ?? PeerPolicy.show.pinnedKeys
    }
  }
}
