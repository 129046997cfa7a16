// SPDX-License-Identifier: Apache-2.0

/// Reads the raw bytes of a chunked body beside libcurl and decides whether its framing is well formed and whole (RFC
/// 9112 section 7.1).
///
/// libcurl takes the body apart, but skips chunk extensions without a bound, ends before the last line end has come, and
/// calls a chunk size that is no number a lost connection. Pure: bytes in, a fault or nothing out.
struct ChunkJudge {
  private enum Phase {
    /// In the digits of a size; none of them seen yet when `digits` is 0.
    case size
    /// Behind a size, up to the line end.
    case afterSize
    case sizeLineFeed
    case data
    case dataCarriageReturn
    case dataLineFeed
    /// At the start of a trailer line, or of the blank one.
    case trailerStart
    case trailer
    case lastLineFeed
    case ended
  }

  /// Bytes of all extensions together.
  static let extensionLimit = 64 * 1024

  private var phase = Phase.size
  private var digits = 0
  private var remaining: Int64 = 0
  private var extensionBytes = 0

  /// True if the last chunk, the trailers and the blank line have come.
  var isComplete: Bool { phase == .ended }

  /// Takes the next bytes; a failure when they cannot be chunks.
  mutating func feed(_ bytes: Span<UInt8>) -> TransferFailure? {
    var index = 0
    while index < bytes.count {
      if phase == .data {
        let count = Int(min(Int64(bytes.count - index), remaining))
        remaining -= Int64(count)
        index += count
        if remaining == 0 { phase = .dataCarriageReturn }
      } else if phase == .ended {
        return nil
      } else {
        if let failure = take(bytes[index]) { return failure }
        index += 1
      }
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> TransferFailure? {
    switch phase {
    case .size: return sizeByte(byte)
    case .afterSize: return afterSizeByte(byte)
    case .sizeLineFeed: return expect(byte, 10) { $0.sizeEnded() }
    case .dataCarriageReturn:
      if byte == 10 { beginSize() } else { return expect(byte, 13) { $0.phase = .dataLineFeed } }
    case .dataLineFeed: return expect(byte, 10) { $0.beginSize() }
    case .trailerStart, .trailer: trailerByte(byte)
    case .lastLineFeed: return expect(byte, 10) { $0.phase = .ended }
    case .data, .ended: break
    }
    return nil
  }

  private mutating func sizeByte(_ byte: UInt8) -> TransferFailure? {
    guard let value = Self.hexadecimal(byte) else {
      guard digits > 0 else { return .malformed("A chunk of the response begins without a size.") }
      phase = .afterSize
      return afterSizeByte(byte)
    }
    digits += 1
    // 15 digits are 60 bits; libcurl reads 16 at the most.
    guard remaining <= Int64.max >> 4 else { return .malformed("A chunk of the response is larger than 63 bits.") }
    remaining = remaining << 4 | value
    return digits <= 16 ? nil : .malformed("The size of a chunk of the response has more than 16 digits.")
  }

  private mutating func afterSizeByte(_ byte: UInt8) -> TransferFailure? {
    switch byte {
    case 10: sizeEnded()
    case 13: phase = .sizeLineFeed
    case 32, 9, UInt8(ascii: ";"): return extensionByte()
    default:
      guard extensionBytes > 0 else { return .malformed("The size of a chunk of the response is no number.") }
      return extensionByte()
    }
    return nil
  }

  private mutating func extensionByte() -> TransferFailure? {
    extensionBytes += 1
    guard extensionBytes > Self.extensionLimit else { return nil }
    return .tooLarge("The response's chunk extensions are larger than \(Self.extensionLimit / 1024) KiB.")
  }

  private mutating func sizeEnded() {
    phase = remaining > 0 ? .data : .trailerStart
  }

  private mutating func beginSize() {
    (phase, digits, remaining) = (.size, 0, 0)
  }

  private mutating func trailerByte(_ byte: UInt8) {
    switch (phase, byte) {
    case (.trailerStart, 10): phase = .ended
    case (.trailerStart, 13): phase = .lastLineFeed
    case (_, 10): phase = .trailerStart
    default: phase = .trailer
    }
  }

  private mutating func expect(
    _ byte: UInt8, _ wanted: UInt8, _ then: (inout ChunkJudge) -> Void
  ) -> TransferFailure? {
    guard byte == wanted else { return .malformed("A chunk of the response does not end with a line end.") }
    then(&self)
    return nil
  }

  private static func hexadecimal(_ byte: UInt8) -> Int64? {
    switch byte {
    case 48...57: Int64(byte - 48)
    case 65...70: Int64(byte - 55)
    case 97...102: Int64(byte - 87)
    default: nil
    }
  }
}
