// SPDX-License-Identifier: Apache-2.0

/// One field of a message head.
public struct HeaderField: Sendable, Hashable {
  /// The field's name, a token (RFC 9110 section 5.1), as written by its sender.
  public var name: String
  /// The value without surrounding white space. Bytes above 127 stand as the scalars U+0080 to U+00FF of the same
  /// number (ISO 8859-1), so that no byte is lost (RFC 9110 section 5.5).
  public var value: String

  /// A field as given; `isSendable` says whether it may go onto the wire.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// True if name and value can be sent: a token, and no control character but HTAB (RFC 9110 section 5.5), since CR, LF
  /// and NUL would change the message's framing, and servers differ about the others.
  public var isSendable: Bool {
    guard HeaderField.isToken(name) else { return false }
    let value = value.utf8.span
    for index in value.indices where value[index] < 32 && value[index] != 9 || value[index] == 127 { return false }
    return true
  }

  /// True if this is the field of that name, which is compared without regard to the case of its letters (RFC 9110 section
  /// 5.1). Asked many times for every message, so it looks at bytes.
  public func isNamed(_ name: String) -> Bool {
    let (own, other) = (self.name.utf8.span, name.utf8.span)
    guard own.count == other.count else { return false }
    for index in own.indices where own[index] != other[index] {
      if Self.lowercased(own[index]) != Self.lowercased(other[index]) { return false }
    }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 32 : byte
  }

  /// True if `text` is a token: one or more tchar (RFC 9110 section 5.6.2).
  public static func isToken(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where !isTokenByte(bytes[index]) { return false }
    return !bytes.isEmpty
  }

  /// True if a token may have this byte (RFC 9110 section 5.6.2).
  @inlinable public static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
      UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
