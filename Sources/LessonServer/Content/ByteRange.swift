// SPDX-License-Identifier: Apache-2.0

/// The bytes that a Range field asks for, given the size of the whole (RFC 9110 section 14.2).
enum ByteRange: Equatable {
  /// Everything: no such field, not one we read, or several ranges, which a server may ignore.
  case whole
  /// This half-open range.
  case part(Range<Int64>)
  /// Nothing that is there.
  case unsatisfiable

  init(_ field: String, size: Int64) {
    self = .whole
    guard field.hasPrefix("bytes="), !field.contains(",") else { return }
    let sides = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return }
    switch (Int64(sides[0]), Int64(sides[1])) {
    case (nil, let last?): self = last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .unsatisfiable
    case (let first?, nil) where sides[1].isEmpty: self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    default: return
    }
  }
}
