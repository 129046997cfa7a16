// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The bytes that OpenSSL has read from a connection's socket before libcurl asked for them.
///
/// By itself OpenSSL takes each record in two reads, its five bytes of header first. Reading ahead it takes several records
/// at once, but then neither the kernel nor libcurl, which asks for `SSL_pending` alone, knows that there is more. So each
/// record that is taken up is reported to the pool, which gives libcurl another turn. Connections that speak HTTP/1.1 read ahead.
/// A later libcurl (`CurlFacts.readsAhead`) turns it on for those of HTTP/2, too. Each stream reads the records of all streams; when
/// it ends or pauses, it stops reading, and nothing wakes the others. So the pool asks OpenSSL after each end and each pause
/// whether it holds bytes. On the I/O thread alone. Safe: OpenSSL says when it frees the connection (`place`), and the pool
/// outlives its connections.
@safe
final class ReadAhead {
  /// The pool of the connection. Not counted: records are taken up only while the pool calls libcurl, at the latest in its
  /// own deinit, where any other reference would be a mistake; and the leak check does not see what a weak one keeps.
  unowned(unsafe) var pool: ConnectionPool?
  /// The connection's socket, once a request is about to be sent on it.
  var socket: Int32?
  /// True if the pool has the report, and has not looked yet.
  var isReported = false
  /// The connection (SSL), as long as it lives.
  private var connection: OpaquePointer?

  /// Bytes that are read at once: a few records of at most 16 KiB (RFC 8446 section 5.1).
  private static let size = 64 * 1024

  /// True if the connection lives.
  var isOpen: Bool { unsafe connection != nil }

  /// True if bytes wait that the socket does not report; they may be less than a record.
  var holdsBytes: Bool {
    guard let connection = unsafe connection else { return false }
    return unsafe SSL_has_pending(connection) == 1
  }

  /// Connections of `context` (SSL_CTX) get room to read ahead.
  static func prepare(_ context: OpaquePointer) {
    unsafe SSL_CTX_set_default_read_buffer_len(context, size)
  }

  /// The handshake of `connection` is done, whose protocol lets it read ahead: from here on it does.
  func begin(on connection: OpaquePointer) {
    unsafe note(connection)
    guard unsafe self.connection == connection else { return }
    unsafe SSL_set_msg_callback(connection, Self.listen)
    unsafe SSL_set_read_ahead(connection, 1)
  }

  /// The handshake of `connection` is done, which several transfers share; libcurl decides whether it reads ahead.
  func share(_ connection: OpaquePointer) {
    unsafe note(connection)
    if isOpen, let pool = unsafe pool { pool.streams.append(self) }
  }

  private func note(_ connection: OpaquePointer) {
    guard unsafe self.connection == nil, Self.place >= 0 else { return }
    let retained = unsafe Unmanaged.passRetained(self)
    guard unsafe SSL_set_ex_data(connection, Self.place, retained.toOpaque()) == 1 else {
      return unsafe retained.release()
    }
    unsafe self.connection = connection
  }

  /// Lets go with the connection.
  private static let place = unsafe CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil,
    { _, pointer, _, _, _, _ in
      guard let pointer = unsafe pointer else { return }
      let ahead = unsafe Unmanaged<ReadAhead>.fromOpaque(pointer)
      unsafe ahead.takeUnretainedValue().connection = nil
      unsafe ahead.release()
    })

  private func takesRecord() {
    guard !isReported, let pool = unsafe pool else { return }
    isReported = true
    pool.readsAhead(self)
  }

  private static let listen:
    @convention(c) (Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
      isWritten, _, kind, _, _, connection, _ in
      guard isWritten == 0, kind == SSL3_RT_HEADER, let pointer = unsafe SSL_get_ex_data(connection, place) else {
        return
      }
      unsafe Unmanaged<ReadAhead>.fromOpaque(pointer).takeUnretainedValue().takesRecord()
    }
}
