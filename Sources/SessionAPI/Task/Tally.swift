// SPDX-License-Identifier: Apache-2.0

/// A growing count of bytes, told to a delegate in pieces that add up to it, however seldom the delegate is free.
///
/// Reports come often and from the I/O thread; while one waits to be delivered, the next only raises the total.
struct Tally {
  /// One delivery: the bytes since the last one, the total with them, and the expected total or -1.
  struct Piece: Equatable, Sendable {
    var bytes: Int64
    var total: Int64
    var expected: Int64
  }

  private(set) var total: Int64 = 0
  private var expected: Int64 = -1
  private var delivered: Int64 = 0
  private var isWaiting = false

  /// A new total came. Returns whether a delivery has to be arranged; if not, one is under way already.
  mutating func reported(_ total: Int64, expected: Int64) -> Bool {
    // A request body that is sent once more starts from zero.
    if total < self.total { delivered = 0 }
    self.total = total
    self.expected = expected
    guard total != delivered, !isWaiting else { return false }
    isWaiting = true
    return true
  }

  /// What to deliver now, or nil when all has been told.
  mutating func take() -> Piece? {
    isWaiting = false
    guard total > delivered else { return nil }
    defer { delivered = total }
    return Piece(bytes: total - delivered, total: total, expected: expected)
  }
}
