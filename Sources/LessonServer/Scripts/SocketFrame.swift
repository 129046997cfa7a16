// SPDX-License-Identifier: Apache-2.0

/// A WebSocket's frame as data, well formed or not (RFC 6455 section 5.2).
public struct SocketFrame: Sendable, Hashable {
  /// The four bits that say what it is: 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong.
  public var opcode: UInt8
  /// The bytes that it carries, unmasked.
  public var payload: [UInt8]
  /// True if it is the last of its message.
  public var isFinal: Bool
  /// The mask, of four bytes; nil for none, as a server's frames must be.
  public var mask: [UInt8]?

  /// A frame as given.
  public init(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, mask: [UInt8]? = nil) {
    self.opcode = opcode
    self.payload = payload
    self.isFinal = isFinal
    self.mask = mask
  }

  /// A text message in one frame.
  public static func text(_ text: String) -> SocketFrame { SocketFrame(1, Array(text.utf8)) }

  /// A close frame.
  public static func close(_ code: UInt16, _ reason: String = "") -> SocketFrame {
    SocketFrame(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }

  /// The frame on the wire.
  public var bytes: [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | opcode]
    let masked: UInt8 = mask == nil ? 0 : 0x80
    let count = payload.count
    if count < 126 {
      bytes.append(masked | UInt8(count))
    } else if count < 65_536 {
      bytes += [masked | 126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
      bytes += [masked | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    guard let mask, mask.count == 4 else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }
}
