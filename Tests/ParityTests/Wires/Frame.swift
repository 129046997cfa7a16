// SPDX-License-Identifier: Apache-2.0

/// One frame of HTTP/2 as it leaves, right or wrong (RFC 9113 section 4.1).
struct Frame: Sendable {
  /// The types of RFC 9113 section 6.
  enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, promise, ping, goAway, window, continuation
  }

  /// A field, its name in lower case, or a pseudo field.
  typealias Field = (name: String, value: String)

  static let endsStream: UInt8 = 1
  static let isAnswer: UInt8 = 1
  static let endsFields: UInt8 = 4
  static let isPadded: UInt8 = 8

  let bytes: [UInt8]

  init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    bytes = Self.number(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + Self.number(stream) + payload
  }

  // MARK: - The right ones

  static func headers(_ stream: UInt32, _ fields: [Field], ends: Bool = false) -> Frame {
    Frame(.headers, flags: endsFields | (ends ? endsStream : 0), stream: stream, block(fields))
  }

  static func data(_ stream: UInt32, _ bytes: [UInt8], ends: Bool = false) -> Frame {
    Frame(.data, flags: ends ? endsStream : 0, stream: stream, bytes)
  }

  static func reset(_ stream: UInt32, _ code: UInt32) -> Frame { Frame(.reset, stream: stream, number(code)) }

  static func goAway(last: UInt32, _ code: UInt32 = 0) -> Frame { Frame(.goAway, number(last) + number(code)) }

  static func settings(_ values: [(UInt16, UInt32)] = []) -> Frame {
    Frame(.settings, values.flatMap { number(UInt32($0.0)).dropFirst(2) + number($0.1) })
  }

  static func ping(_ value: UInt32) -> Frame { Frame(.ping, number(0) + number(value)) }

  static func window(_ stream: UInt32, _ size: UInt32) -> Frame { Frame(.window, stream: stream, number(size)) }

  // MARK: - Parts

  /// 32 bits in network order.
  static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  /// A block of literal fields that leave the table alone (RFC 7541 section 6.2.2).
  static func block(_ fields: [Field]) -> [UInt8] {
    fields.flatMap { [0] + text($0.name) + text($0.value) }
  }

  /// A text without Huffman coding, its length in the integers of RFC 7541 section 5.1.
  private static func text(_ text: String) -> [UInt8] {
    var (length, rest) = ([UInt8](), text.utf8.count)
    if rest < 127 { return [UInt8(rest)] + Array(text.utf8) }
    rest -= 127
    while rest >= 128 {
      length.append(UInt8(rest % 128 + 128))
      rest /= 128
    }
    return [127] + length + [UInt8(rest)] + Array(text.utf8)
  }
}

extension RawConnection {
  /// Sends frames in one record.
  func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }
}
