// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Makes a client's frames (RFC 6455 section 5.2): each message in one frame, masked with a key of its own.
package enum WebSocketWriter {
  /// The bytes of one frame. `mask` must be unpredictable (section 10.3); its first byte is the most significant.
  package static func frame(_ opcode: WebSocketOpcode, _ payload: Data, mask: UInt32) -> [UInt8] {
    let head = head(opcode, count: payload.count, mask: mask)
    let total = head.count + payload.count
    return unsafe [UInt8](unsafeUninitializedCapacity: total) { room, count in
      let room = UnsafeMutableRawBufferPointer(room)
      unsafe head.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
      unsafe payload.withUnsafeBytes {
        unsafe apply(mask, to: $0, into: UnsafeMutableRawBufferPointer(rebasing: room[head.count...]))
      }
      count = total
    }
  }

  private static func head(_ opcode: WebSocketOpcode, count: Int, mask: UInt32) -> [UInt8] {
    var head = [0x80 | opcode.rawValue]
    switch count {
    case 0...125: head.append(0x80 | UInt8(count))
    case 126...65_535: head += [0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
    default: head += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
    return head + (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * $0)) }
  }

  /// Section 5.3, eight bytes at a time.
  private static func apply(
    _ mask: UInt32, to payload: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) {
    let wide = (UInt64(mask) << 32 | UInt64(mask)).bigEndian
    var index = 0
    while index + 8 <= payload.count {
      let word = unsafe payload.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      unsafe room.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < payload.count {
      unsafe room[index] = unsafe payload[index] ^ UInt8(truncatingIfNeeded: mask >> (24 - 8 * (index & 3)))
      index += 1
    }
  }
}
