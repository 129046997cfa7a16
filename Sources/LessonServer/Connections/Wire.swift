// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Glibc

/// One accepted socket, blocking; every call belongs to its connection's thread.
///
/// The descriptor is not closed here but by the listener, under its lock: another thread may be about to shut the
/// connection down, and must not hit a new one with the same number.
struct Wire: ~Copyable {
  /// poll's POLLRDHUP, which the toolchain's Glibc module leaves out; the value is Linux's for all our processors.
  private static let peerClosed: Int16 = 0x2000

  let descriptor: CInt
  /// OpenSSL's connection where TLS is spoken; only this connection's thread touches it.
  private var tls: OpaquePointer?

  init(descriptor: CInt, tls: OpaquePointer?) {
    self.descriptor = descriptor
    self.tls = tls
  }

  deinit {
    if let tls { SSL_free(tls) }
  }

  // MARK: - TLS

  /// Speaks TLS from here on, after a handshake; does nothing on a TLS connection.
  mutating func secure(_ connection: OpaquePointer?) {
    if tls == nil { tls = connection } else { SSL_free(connection) }
  }

  /// Performs the TLS handshake and returns what both sides agreed on or why not; nil on a plain connection.
  func shakeHands() -> TLSRecord? {
    guard let tls else { return nil }
    ERR_clear_error()
    guard SSL_accept(tls) == 1 else {
      let reason = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) }
      return TLSRecord(failure: reason ?? "the client closed the connection")
    }
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(tls, &name, &length)
    return TLSRecord(
      version: SSL_get_version(tls).map { String(cString: $0) },
      protocolName: name.map { RequestHead.latin1(UnsafeBufferPointer(start: $0, count: Int(length))) },
      clientName: Self.clientName(of: tls), resumed: SSL_session_reused(tls) == 1)
  }

  private static func clientName(of tls: OpaquePointer) -> String? {
    guard let certificate = SSL_get1_peer_certificate(tls) else { return nil }
    defer { X509_free(certificate) }
    var name = [UInt8](repeating: 0, count: 256)
    let count = name.withUnsafeMutableBytes { room in
      X509_NAME_get_text_by_NID(
        X509_get_subject_name(certificate), NID_commonName, room.baseAddress?.assumingMemoryBound(to: CChar.self),
        CInt(room.count))
    }
    return count < 0 ? nil : String(decoding: name.prefix(Int(count)), as: UTF8.self)
  }

  /// Tells the client in order that nothing more comes (RFC 8446 section 6.1).
  func sayCloseNotify() {
    if let tls { SSL_shutdown(tls) }
  }

  // MARK: - Bytes

  /// Waits until bytes can be read (true) or the time is over (false); nil when the connection is lost. -1 waits for
  /// ever.
  func waitForBytes(milliseconds: CInt) -> Bool? {
    if let tls, SSL_pending(tls) > 0 { return true }
    while true {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&event, 1, milliseconds)
      if count >= 0 { return count > 0 }
      if errno != EINTR { return nil }
    }
  }

  /// Reads what there is, at least a byte; 0 at the end or when the connection is lost.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if let tls { return max(0, Int(SSL_read(tls, room.baseAddress, CInt(clamping: room.count)))) }
    while true {
      let count = recv(descriptor, room.baseAddress, room.count, 0)
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }

  /// Sends as much as the system takes at once, at least a byte; 0 when the connection is lost.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let tls { return max(0, Int(SSL_write(tls, bytes.baseAddress, CInt(clamping: bytes.count)))) }
    while true {
      let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }

  /// Sends several pieces with one call, as `send` does.
  func send(_ pieces: UnsafeMutableBufferPointer<iovec>) -> Int {
    if tls != nil {
      guard let first = pieces.first else { return 0 }
      return send(UnsafeRawBufferPointer(start: first.iov_base, count: first.iov_len))
    }
    while true {
      let count = writev(descriptor, pieces.baseAddress, CInt(pieces.count))
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }

  /// Waits for the time to pass; false when the connection was lost or the server stops.
  func sleep(_ duration: Duration) -> Bool {
    let deadline = MonotonicTime.now().advanced(by: duration)
    while true {
      let left = deadline.nanoseconds - MonotonicTime.now().nanoseconds
      guard left > 0 else { return true }
      var event = pollfd(fd: descriptor, events: 0, revents: 0)
      if poll(&event, 1, CInt(min((left + 999_999) / 1_000_000, 1_000_000))) > 0 { return false }
    }
  }

  /// Waits until the client closes its side or the connection is lost, or until `other` can be read or the time is over
  /// (then true).
  func waitForPeerToClose(orReadable other: CInt = -1, atMost limit: Duration? = nil) -> Bool {
    let deadline = limit.map { MonotonicTime.now().advanced(by: $0).nanoseconds }
    while true {
      let left = deadline.map { max(0, $0 - MonotonicTime.now().nanoseconds) }
      let events = [
        pollfd(fd: descriptor, events: Self.peerClosed, revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      var answers = events
      let found = poll(&answers, 2, left.map { CInt(clamping: ($0 + 999_999) / 1_000_000) } ?? -1)
      if found == 0 { return true }
      guard found > 0 else { continue }
      return answers[0].revents == 0 && answers[1].revents != 0
    }
  }

  /// Ends the server's direction.
  func endSending() {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// Makes the coming close a reset.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads and drops until the client closes, for so long at most; nil waits for ever.
  func drain(atMost limit: Duration?) {
    let deadline = limit.map { MonotonicTime.now().advanced(by: $0) }
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
      while true {
        let left = deadline.map { max(0, ($0.nanoseconds - MonotonicTime.now().nanoseconds) / 1_000_000) } ?? -1
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, CInt(left)) > 0, recv(descriptor, room.baseAddress, room.count, 0) > 0 else { return }
      }
    }
  }
}
