// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import COpenSSL

/// TLS that begins on a connection over which plain bytes have gone, as after STARTTLS (RFC 3207): OpenSSL's, over
/// whatever carries the connection's bytes.
///
/// libcurl speaks TLS from a connection's first byte on or not at all. Here the handshake waits for the client to decide about
/// the server, or about the client's certificate: nothing is sent before, and no second connection is needed. It belongs to
/// the I/O thread, and to one connection. Safe: OpenSSL's connection lives as long as the object.
@safe
final class StartTLS {
  /// How far the handshake has come.
  enum Step {
    case done
    /// It continues when the socket can be read, or written.
    case waits(EPOLL_EVENTS)
    /// The client has to decide first: `decide(_:_:)`.
    case undecided(TransferFailure)
    case failed(TransferFailure)
  }

  let judge: PeerJudge
  /// True if the handshake is over, and bytes may pass.
  private(set) var isDone = false
  private let connection: OpaquePointer
  private let handle: EasyHandle

  /// The client's side of a connection that `handle` has made; nil when there is no memory for it. `authorities` in PEM, or
  /// nil for the system's.
  init?(_ handle: EasyHandle, _ judge: PeerJudge, host: String, versions: TLSVersions, trusting authorities: [UInt8]?) {
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return nil }
    // The connection counts the context, and the context the judge.
    defer { unsafe SSL_CTX_free(context) }
    guard unsafe judge.judge(context) else { return nil }
    if unsafe authorities != nil || !SystemAuthorities.shared.trust(by: context) {
      guard let store = unsafe CertificateChain.makeStore(authorities) else { return nil }
      unsafe SSL_CTX_set_cert_store(context, store)
    }
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    unsafe SSL_CTX_set_options(context, Self.noRenegotiation)
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(versions.oldest), nil)
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versions.newest), nil)
    // Bytes that wait to be sent may be tried again from another place, and a part of them may go.
    unsafe SSL_CTX_ctrl(
      context, SSL_CTRL_MODE, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER), nil)
    guard let connection = unsafe SSL_new(context) else { return nil }
    guard unsafe Self.name(host, on: connection), let carrier = unsafe StartTLSCarrier.make(handle) else {
      unsafe SSL_free(connection)
      return nil
    }
    unsafe SSL_set_bio(connection, carrier, carrier)
    unsafe SSL_set_connect_state(connection)
    unsafe (self.judge, self.connection, self.handle) = (judge, connection, handle)
  }

  deinit { unsafe SSL_free(connection) }

  /// SSL_OP_NO_RENEGOTIATION, an expression macro: what was decided holds until the end.
  private static let noRenegotiation = UInt64(1) << 30

  /// A name is sent to the server without a last dot; addresses are none (RFC 6066 section 3).
  private static func name(_ host: String, on connection: OpaquePointer) -> Bool {
    guard !PeerCertificates.isAddress(host) else { return true }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return unsafe name.withCString {
      unsafe SSL_ctrl(
        connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), UnsafeMutableRawPointer(mutating: $0))
    } == 1
  }

  // MARK: - The handshake

  /// Continues the handshake as far as the socket lets it.
  func shakeHands() -> Step {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(connection)
    switch unsafe SSL_get_error(connection, result) {
    case SSL_ERROR_NONE:
      isDone = true
      return .done
    case SSL_ERROR_WANT_READ: return .waits(EPOLLIN)
    case SSL_ERROR_WANT_WRITE: return .waits(EPOLLOUT)
    case SSL_ERROR_WANT_RETRY_VERIFY: return .undecided(.undecided)
    case SSL_ERROR_WANT_X509_LOOKUP: return .undecided(.identityUndecided)
    default: return .failed(failure)
    }
  }

  private var failure: TransferFailure {
    let reason = unsafe ERR_reason_error_string(ERR_peek_last_error()).map { unsafe String(cString: $0) }
    ERR_clear_error()
    let verdict = unsafe SSL_get_verify_result(connection)
    if verdict != Int(X509_V_OK) { return CertificateChain.failure(Int32(truncatingIfNeeded: verdict)) }
    return TransferFailure(
      .secureConnectionFailed, curlCode: Int32(CURLE_SSL_CONNECT_ERROR.rawValue),
      description: "The TLS handshake failed: \(reason ?? "the connection was closed").")
  }

  // MARK: - Bytes

  /// Encrypts and sends a part of the bytes, and says how many.
  func send(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) -> CURLcode {
    ERR_clear_error()
    let result = unsafe SSL_write_ex(connection, bytes.baseAddress, bytes.count, &count)
    // The peer's close_notify is no failure of a read; a write that it ends has sent nothing.
    return code(of: result).flatMap { $0 == CURLE_OK && count == 0 ? nil : $0 } ?? CURLE_SEND_ERROR
  }

  /// Fills a part of the buffer, and says how much: nothing behind the peer's close_notify.
  func receive(into buffer: UnsafeMutableRawBufferPointer, _ count: inout Int) -> CURLcode {
    ERR_clear_error()
    let result = unsafe SSL_read_ex(connection, buffer.baseAddress, buffer.count, &count)
    return code(of: result) ?? CURLE_RECV_ERROR
  }

  /// The result of an attempt, as libcurl's code; nil for a failure.
  private func code(of result: Int32) -> CURLcode? {
    switch unsafe SSL_get_error(connection, result) {
    case SSL_ERROR_NONE, SSL_ERROR_ZERO_RETURN: CURLE_OK
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: CURLE_AGAIN
    default: nil
    }
  }

  /// Sends close_notify; reading continues.
  func sayCloseNotify() {
    if isDone { unsafe SSL_shutdown(connection) }
  }
}
