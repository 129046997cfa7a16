// SPDX-License-Identifier: Apache-2.0

/// A growing count of bytes, reported to a delegate in pieces that add up to it, however seldom the delegate is free.
///
/// Reports come often and from the I/O thread; while one waits to be delivered, the next only raises the total.
package struct Tally: Sendable {
  /// One delivery: the bytes since the last one, the total with them, and the expected total or -1.
  package struct Piece: Equatable, Sendable {
    package var bytes: Int64
    package var total: Int64
    package var expected: Int64

    /// A delivery as given.
    package init(bytes: Int64, total: Int64, expected: Int64) {
      self.bytes = bytes
      self.total = total
      self.expected = expected
    }
  }

  package private(set) var total: Int64 = 0
  private var expected: Int64 = -1
  private var delivered: Int64 = 0
  private var isWaiting = false

  /// Nothing has been counted yet.
  package init() {}

  /// The count begins behind bytes that are not reported.
  package mutating func begin(at offset: Int64) { (total, delivered) = (offset, offset) }

  /// A new total. Returns whether a delivery has to be arranged; if not, one is under way already.
  package mutating func reported(_ total: Int64, expected: Int64) -> Bool {
    // A request body that is sent once more starts from zero.
    if total < self.total { delivered = 0 }
    self.total = total
    self.expected = expected
    guard total != delivered, !isWaiting else { return false }
    isWaiting = true
    return true
  }

  /// Takes the piece to deliver now, or nil when all has been reported.
  package mutating func take() -> Piece? {
    isWaiting = false
    guard total > delivered else { return nil }
    defer { delivered = total }
    return Piece(bytes: total - delivered, total: total, expected: expected)
  }
}
