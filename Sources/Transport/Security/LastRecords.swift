// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The last records of a connection of HTTP/2, which show what a libcurl with `CurlFacts.endsStreamsWithConnection` does not say.
///
/// nghttp2 writes a GOAWAY when it finds a connection error (RFC 9113 section 5.4.1); such a libcurl then ends the connection's
/// streams in success. It also does so, and drops the bytes that it has just read, when the server sends GOAWAY and the last
/// stream's end in one record. OpenSSL reports the length of every record. A written record that is long enough for a GOAWAY and
/// carries no request raises a doubt, until the server answers a later request. If libcurl delivered bytes of a body after the
/// last record that it read, it dropped none of that record. On the I/O thread alone. Safe: OpenSSL lets go with the connection.
@safe
final class LastRecords {
  /// True if a record that may be a GOAWAY was written, and no later request was answered.
  private(set) var mayHaveEnded = false
  /// How many such records were written.
  private var doubts = 0
  /// True if a request's head is about to be written.
  private var expectsHead = false
  /// How many records were read.
  private(set) var reads = 0
  /// True if the last record that was read is too short for a piece of a body and the end of its stream in another frame: where
  /// both are one frame, nothing is dropped.
  private(set) var isLastShort = false
  /// The bytes that encryption adds to a record.
  private var overhead = 0

  /// The length of a frame's header, and of a GOAWAY without additional data (RFC 9113 sections 4.1 and 6.8).
  private static let (header, goAway) = (9, 9 + 8)

  /// The handshake of `connection` (SSL) is done.
  func begin(on connection: OpaquePointer, _ agreement: TLSAgreement) {
    guard overhead == 0, Self.place >= 0 else { return }
    let retained = unsafe Unmanaged.passRetained(self)
    guard unsafe SSL_set_ex_data(connection, Self.place, retained.toOpaque()) == 1 else {
      return unsafe retained.release()
    }
    overhead = Self.overhead(agreement)
    unsafe SSL_set_msg_callback(connection, Self.listen)
  }

  /// A request is about to be sent. What it returns goes to `answerBegins`.
  func headFollows() -> Int {
    expectsHead = true
    return doubts
  }

  /// The answer begins to a request that was sent when there were so many doubts: an ended session sends and takes none.
  func answerBegins(_ doubts: Int) {
    if doubts == self.doubts { mayHaveEnded = false }
  }

  /// TLS 1.3 adds a type and a tag (RFC 8446 section 5.2). TLS 1.2 adds a tag, and 8 bytes of nonce but with ChaCha20 (RFC 5288
  /// section 3, RFC 7905); what is added at least leads to more doubt, not to less.
  private static func overhead(_ agreement: TLSAgreement) -> Int {
    switch (agreement.version, agreement.cipherSuite) {
    case (0x0304, 0x1305): 9
    case (0x0304, _): 17
    case (_, 0xC02B...0xC030), (_, 0x009C...0x00A1), (_, 0xC09C...0xC09F), (_, 0xC0AC...0xC0AD): 24
    default: 16
    }
  }

  /// Lets go with the connection.
  private static let place = unsafe CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil,
    { _, pointer, _, _, _, _ in
      if let pointer = unsafe pointer { unsafe Unmanaged<LastRecords>.fromOpaque(pointer).release() }
    })

  private func record(of length: Int, isWritten: Bool) {
    if !isWritten {
      expectsHead = false
      reads &+= 1
      isLastShort = length - overhead < 2 * (Self.header + 1)
    } else if expectsHead {
      expectsHead = false
    } else if reads > 0, length - overhead >= Self.goAway {
      // Before anything is read there is nothing to find an error in.
      mayHaveEnded = true
      doubts &+= 1
    }
  }

  private static let listen:
    @convention(c) (Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
      isWritten, _, kind, bytes, count, connection, _ in
      guard kind == SSL3_RT_HEADER, count == 5, let bytes = unsafe bytes,
        let pointer = unsafe SSL_get_ex_data(connection, place)
      else { return }
      let length =
        unsafe Int(bytes.load(fromByteOffset: 3, as: UInt8.self)) << 8
        | Int(bytes.load(fromByteOffset: 4, as: UInt8.self))
      unsafe Unmanaged<LastRecords>.fromOpaque(pointer).takeUnretainedValue()
        .record(of: length, isWritten: isWritten != 0)
    }
}
