// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// The kind of a frame's content (RFC 6455 section 5.2).
package enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  /// True if it is about the connection, and may come between the fragments of a message (section 5.5).
  package var isControl: Bool { rawValue >= 8 }
}

/// A whole message, put together from its fragments.
package enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary(Data)
}

/// The content of a close frame.
package struct WebSocketClose: Sendable, Equatable {
  /// The status code (RFC 6455 section 7.4); nil when the frame has none.
  package var code: UInt16?
  /// The reason in UTF-8, often empty.
  package var reason: Data

  /// A close frame's content as given.
  package init(code: UInt16?, reason: Data = Data()) {
    self.code = code
    self.reason = reason
  }

  /// Reads a frame's payload; nil where it says what must never be said in a frame.
  package init?(payload: Data) {
    guard !payload.isEmpty else {
      self.init(code: nil)
      return
    }
    guard payload.count >= 2 else { return nil }
    let code = UInt16(payload[payload.startIndex]) << 8 | UInt16(payload[payload.startIndex + 1])
    let reason = Data(payload.dropFirst(2))
    guard Self.maySend(code), UTF8Text.string(reason) != nil else { return nil }
    self.init(code: code, reason: reason)
  }

  /// The payload of the frame that says so: a code that must not be sent is left out, and a reason is cut to what a
  /// control frame holds, or left out where it is no UTF-8 (RFC 6455 sections 5.5 and 7.1.6).
  package var payload: Data {
    guard let code, Self.maySend(code) else { return Data() }
    return Data([UInt8(code >> 8), UInt8(code & 255)]) + UTF8Text.prefix(of: reason, atMost: 123)
  }

  /// True if a frame may have this code: those of RFC 6455 section 7.4.1 and of its registry that stand for something
  /// that happens on the wire, and all from 3000 to 4999.
  package static func maySend(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// Text as a WebSocket must have it (RFC 3629).
package enum UTF8Text {
  /// The text; nil where the bytes are no UTF-8.
  package static func string(_ bytes: Data) -> String? {
    unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
  }

  /// As many whole characters from the start as fit; nothing where the bytes are no UTF-8.
  package static func prefix(of bytes: Data, atMost limit: Int) -> Data {
    guard string(bytes) != nil else { return Data() }
    var cut = Data(bytes.prefix(limit))
    while string(cut) == nil { cut = Data(cut.dropLast()) }
    return cut
  }
}
