// SPDX-License-Identifier: Apache-2.0

/// A Content-Range field in the unit bytes (RFC 9110 section 14.4). Pure.
package struct ContentRange: Equatable {
  /// The part that was sent; nil where no part could be (`bytes */100`).
  package var part: ClosedRange<Int64>?
  /// The length of the whole; nil where the server does not know it (`bytes 0-9/*`).
  package var total: Int64?

  /// Reads a field; nil for another unit, for several ranges, for an inverted or a nonsensical one, and for anything
  /// that does not follow the grammar to the letter.
  package init?(_ field: String) {
    let words = field.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, words[0].elementsEqual("bytes".utf8) else { return nil }
    let sides = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    if !sides[1].elementsEqual("*".utf8) {
      guard let total = Self.number(sides[1]) else { return nil }
      self.total = total
    }
    if sides[0].elementsEqual("*".utf8) {
      guard total != nil else { return nil }
      return
    }
    let ends = sides[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < total ?? .max
    else { return nil }
    part = first...last
  }

  /// Digits only, and no more than fit.
  private static func number(_ digits: some Collection<UInt8>) -> Int64? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, isTooBig) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooBigToo) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !isTooBig, !isTooBigToo else { return nil }
      value = sum
    }
    return value
  }
}
