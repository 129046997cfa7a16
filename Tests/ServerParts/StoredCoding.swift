// SPDX-License-Identifier: Apache-2.0
public import LessonServer

/// Coded bodies made without compressing: stored blocks only (RFC 1951 section 3.2.4), at most 65,535 bytes; and zeros that
/// a small stream grows to.
public enum StoredCoding {
  /// A gzip member (RFC 1952).
  public static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    gzipHead + deflate(bytes) + littleEndian(crc(of: bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// A zlib stream (RFC 1950).
  public static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + deflate(bytes) + littleEndian(high << 16 | low).reversed()
  }

  /// The bare stream of RFC 1951.
  public static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(clamping: bytes.count)
    let sizes = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    return [1] + sizes + bytes.prefix(Int(length))
  }

  /// A Brotli stream (RFC 7932 section 9): the window's bit and one meta-block without compression, in the 21 bits of a
  /// head, then the last, empty one.
  public static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    let body = bytes.prefix(65_536)
    guard !body.isEmpty else { return [0x06] }
    let head = UInt32(body.count - 1) << 4 | 1 << 20
    return littleEndian(head).prefix(3) + body + [0x03]
  }

  /// The steps of a gzip body of `1 + 2064 * periods` zeros, about 158 times as many as are sent, without the trailer. The
  /// block has the fixed codes (RFC 1951 section 3.2.6): a zero, then over and over eight matches of length 258 at
  /// distance 1, which take 13 bytes.
  public static func zeros(periods: Int) -> [Step] {
    let period: [UInt8] = [0x18, 0x05, 0xa3, 0x60, 0x14, 0x8c, 0x82, 0x51, 0x30, 0x0a, 0x46, 0xc1, 0x28]
    return [
      .bytes(gzipHead + [0x62]), .repeated(period, times: periods), .bytes([0x00, 0x04, 0x00, 0x00, 0xff, 0xff]),
    ]
  }

  private static let gzipHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// CRC-32 as RFC 1952 section 8 defines it, bit by bit.
  private static func crc(of bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = crc & 1 == 1
        crc >>= 1
        if isOdd { crc ^= 0xedb8_8320 }
      }
    }
    return ~crc
  }
}
