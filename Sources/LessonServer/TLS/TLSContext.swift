// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Glibc

/// The context that all TLS connections of a server share: certificate, protocols, session tickets.
final class TLSContext: @unchecked Sendable {
  // Sendable: configured in init, never changed afterwards; SSL_new locks what it touches.
  private let context: OpaquePointer
  /// The offered protocols as ALPN writes them (RFC 7301 section 3.1): each with its length before it.
  private let offered: UnsafeMutableBufferPointer<UInt8>

  init(_ settings: TLSSettings) throws(LessonServerError) {
    let chain = try settings.authority.makeChain(settings)
    let certificate = chain[0]
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .cannotMakeCertificates("SSL_CTX_new") }
    self.context = context
    let wire = settings.protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
    offered = .allocate(capacity: wire.count)
    _ = offered.initialize(from: wire)
    settings.offer.apply(to: context)
    if certificate.isWeak { SSL_CTX_set_security_level(context, 0) }
    guard SSL_CTX_use_certificate(context, certificate.certificate) == 1,
      SSL_CTX_use_PrivateKey(context, certificate.key) == 1
    else { throw .cannotMakeCertificates("SSL_CTX_use_certificate") }
    // An expression macro of OpenSSL's, SSL_CTX_add1_chain_cert.
    for other in chain.dropFirst() {
      SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(other.certificate))
    }
    if settings.clientCertificate != .none { askClients(settings) }
    SSL_CTX_set_alpn_select_cb(
      context, Self.chooseProtocol, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    SSL_CTX_free(context)
    offered.deallocate()
  }

  private func askClients(_ settings: TLSSettings) {
    let isRequired = settings.clientCertificate == .required
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nil)
    settings.authority.trust(in: context)
    // A server that asks clients takes up sessions again only under a name of its own.
    var name: [UInt8] = Array("lesson".utf8)
    SSL_CTX_set_session_id_context(context, &name, UInt32(name.count))
  }

  /// A new TLS connection over a connected socket, before its handshake.
  func makeConnection(over descriptor: CInt) -> OpaquePointer? {
    guard let connection = SSL_new(context) else { return nil }
    SSL_set_fd(connection, descriptor)
    return connection
  }

  /// The context outlives its connections, because each connection's thread holds it.
  private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, out, outLength, wanted, wantedLength, context in
    guard let context, let out, let outLength else { return SSL_TLSEXT_ERR_NOACK }
    let offered = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().offered
    var chosen: UnsafeMutablePointer<UInt8>?
    let outcome = SSL_select_next_proto(
      &chosen, outLength, offered.baseAddress, UInt32(offered.count), wanted, wantedLength)
    guard outcome == OPENSSL_NPN_NEGOTIATED, let chosen else { return SSL_TLSEXT_ERR_NOACK }
    out.pointee = UnsafePointer(chosen)
    return SSL_TLSEXT_ERR_OK
  }
}
