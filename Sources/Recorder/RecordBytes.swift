// SPDX-License-Identifier: Apache-2.0

/// The bytes of one record while it is written: numbers in small-endian order, texts behind their length.
struct RecordWriter {
  /// Longer texts are cut here.
  static let longestText = 1024
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1024)
  }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func put(_ number: UInt8) { bytes.append(number) }

  mutating func put(_ number: Int64) { put(UInt64(bitPattern: number)) }

  mutating func put(_ number: Int) { put(Int64(number)) }

  mutating func put(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ text: String) {
    let count = min(text.utf8.count, Self.longestText)
    bytes.append(UInt8(truncatingIfNeeded: count))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
    if count == text.utf8.count {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(contentsOf: text.utf8.prefix(count))
    }
  }

  /// The records that are no events are told by their length, which no event has.
  static let endingLength: Int32 = 8
  static let gapLength: Int32 = 16

  mutating func putEnding(_ instant: Int64) { put(instant) }

  mutating func putGap(_ lost: UInt64, newest: UInt64) {
    put(lost)
    put(newest)
  }

  mutating func put(_ text: String?) {
    put(text != nil)
    if let text { put(text) }
  }
}

/// Reads what `RecordWriter` wrote. Bytes that it did not write throw, and never trap.
struct RecordReader {
  struct Malformed: Error {}

  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func byte() throws -> UInt8 {
    guard let first = bytes.popFirst() else { throw Malformed() }
    return first
  }

  mutating func unsigned() throws -> UInt64 {
    guard bytes.count >= 8 else { throw Malformed() }
    let start = bytes.startIndex
    var number: UInt64 = 0
    for place in 0..<8 { number |= UInt64(bytes[start + place]) << UInt64(8 * place) }
    bytes = bytes[(start + 8)...]
    return number
  }

  mutating func signed() throws -> Int64 { Int64(bitPattern: try unsigned()) }

  /// Nanoseconds since a recording began: less than thirty years, so that nobody who reckons with it overflows.
  mutating func instant() throws -> Int64 {
    let instant = try signed()
    guard (0..<1 << 60).contains(instant) else { throw Malformed() }
    return instant
  }

  /// A number of bytes, or -1 for none: so small that a million of them have a sum.
  mutating func byteCount() throws -> Int64 {
    let count = try signed()
    guard (-1..<1 << 42).contains(count) else { throw Malformed() }
    return count
  }

  mutating func number() throws -> Int { Int(try signed()) }

  mutating func flag() throws -> Bool { try byte() != 0 }

  mutating func text() throws -> String {
    let count = Int(try byte()) | Int(try byte()) << 8
    guard count <= RecordWriter.longestText, count <= bytes.count else { throw Malformed() }
    defer { bytes = bytes[(bytes.startIndex + count)...] }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  mutating func optionalText() throws -> String? { try flag() ? try text() : nil }

  /// One of the cases of an enumeration that is written by its number.
  mutating func value<Value: RawRepresentable>(_ type: Value.Type) throws -> Value where Value.RawValue == UInt8 {
    guard let value = Value(rawValue: try byte()) else { throw Malformed() }
    return value
  }
}
