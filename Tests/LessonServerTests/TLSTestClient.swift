// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import LessonServer

/// A blocking TLS client on OpenSSL that trusts one authority and checks the name it connects to.
final class TLSTestClient {
  let plain: TestClient
  private let context: OpaquePointer
  private let connection: OpaquePointer

  /// Connects and shakes hands; `verifyResult` says what OpenSSL thinks of the certificate, without breaking off.
  init(
    _ server: LessonServer, trusting pem: String, host: String = "localhost", offering protocols: [String] = [],
    resuming session: OpaquePointer? = nil
  ) throws {
    plain = try TestClient(server)
    context = SSL_CTX_new(TLS_client_method())
    connection = SSL_new(context)
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    pem.withCString { text in
      let memory = BIO_new_mem_buf(text, -1)
      let authority = PEM_read_bio_X509(memory, nil, nil, nil)
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority)
      X509_free(authority)
      BIO_free(memory)
    }
    SSL_set1_host(connection, host)
    let offered = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    if !offered.isEmpty { SSL_set_alpn_protos(connection, offered, UInt32(offered.count)) }
    if let session { SSL_set_session(connection, session) }
    SSL_set_fd(connection, plain.descriptor)
    SSL_connect(connection)
  }

  deinit {
    SSL_free(connection)
    SSL_CTX_free(context)
  }

  var verifyResult: Int { SSL_get_verify_result(connection) }

  var isReused: Bool { SSL_session_reused(connection) == 1 }

  var chosenProtocol: String {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(connection, &name, &length)
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
  }

  /// The session to resume with; the caller frees it. TLS 1.3 sends it after the handshake, so read something first.
  func makeSession() -> OpaquePointer? { SSL_get1_session(connection) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    SSL_write(connection, bytes, CInt(bytes.count))
  }

  func send(_ bytes: UnsafeBufferPointer<UInt8>) { SSL_write(connection, bytes.baseAddress, CInt(bytes.count)) }

  /// Reads what there is, at least a byte; nothing at the end.
  func receive() -> [UInt8] {
    var room = [UInt8](repeating: 0, count: 64 << 10)
    let count = SSL_read(connection, &room, CInt(room.count))
    return Array(room.prefix(max(0, Int(count))))
  }

  /// Reads to the end; `isOrderly` tells whether a close_notify came.
  func readToEnd() -> (bytes: [UInt8], isOrderly: Bool) {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = SSL_read(connection, &room, CInt(room.count))
      guard count > 0 else { return (bytes, SSL_get_error(connection, count) == SSL_ERROR_ZERO_RETURN) }
      bytes += room[..<Int(count)]
    }
  }
}
