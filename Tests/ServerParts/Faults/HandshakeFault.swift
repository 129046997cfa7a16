// SPDX-License-Identifier: Apache-2.0
public import LessonServer

/// A way in which a TLS handshake fails though both sides are reached, as data (rows TL-14 and TL-15).
public struct HandshakeFault: Sendable, CustomStringConvertible {
  /// The row, such as `TL-14`.
  public let id: String
  /// Which form of the fault.
  public let variant: String
  /// The server's script once the client has begun its handshake.
  public let opening: Script
  /// The code of NSURLErrorDomain with which a load ends.
  public let code: Int

  init(_ id: String, _ variant: String, code: Int = -1200, _ opening: Script) {
    self.id = id
    self.variant = variant
    self.opening = opening
    self.code = code
  }

  /// Row and variant in one line.
  public var description: String { "\(id) \(variant)" }

  /// Every fault of this kind. An end of the connection counts as a failed handshake, by FIN and by RST: one answer,
  /// whatever the moment in which it strikes.
  public static let all: [HandshakeFault] = [
    HandshakeFault("TL-14", "plain HTTP", [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]),
    HandshakeFault("TL-14", "random bytes", [.bytes(SeededBody(seed: 14).bytes(0..<2000))]),
    // RFC 8446 section 6: a fatal handshake_failure.
    HandshakeFault("TL-14", "alert", [.bytes([21, 3, 3, 0, 2, 2, 40])]),
    HandshakeFault("TL-14", "half a record", [.bytes([22, 3, 3, 1, 0, 2, 0])]),
    HandshakeFault("TL-14", "FIN", [.end(.fin)]),
    HandshakeFault("TL-14", "RST", [.end(.rst)]),
    HandshakeFault("TL-15", "stall", code: -1001, [.stall]),
  ]
}
