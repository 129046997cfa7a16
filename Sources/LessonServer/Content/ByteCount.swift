// SPDX-License-Identifier: Apache-2.0

/// A number of bytes that a person may write as `10`, `64KiB`, `64MiB` or `1GiB`.
public struct ByteCount: Sendable, Hashable, CustomStringConvertible {
  private static let units: [(name: String, bytes: Int64)] = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
  ]

  /// The count itself.
  public var bytes: Int64

  /// This many bytes.
  public init(_ bytes: Int64) {
    self.bytes = bytes
  }

  /// Reads a whole number, alone or followed by B, KiB, MiB or GiB (powers of 1,024).
  ///
  /// - Throws: `LessonServerError` with code `invalidByteCount`, whose text names the value, when it is anything else,
  ///   negative, or more than 64 bits hold.
  public init(parsing text: String) throws(LessonServerError) {
    let unit = Self.units.first { text.hasSuffix($0.name) } ?? ("", 1)
    let digits = text.dropLast(unit.name.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits) else {
      throw .invalidByteCount(text)
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
    guard !overflow else { throw .invalidByteCount(text) }
    self.bytes = bytes
  }

  /// The shortest exact spelling, such as `64MiB`.
  public var description: String {
    guard bytes > 0 else { return "\(bytes)" }
    let unit = Self.units.first { bytes % $0.bytes == 0 } ?? ("B", 1)
    return unit.bytes == 1 ? "\(bytes)" : "\(bytes / unit.bytes)\(unit.name)"
  }
}
