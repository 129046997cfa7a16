// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Whether a transfer of a background session that failed is tried again, and when. Pure: the time is given.
///
/// What the network did is no end in the background: a silence, a lost connection and a missing network lead to another
/// attempt until the time for the resource is over. What the server or the program did is an end.
package struct RetryRule: Sendable {
  private var failures = 0

  package init() {}

  /// When the time of a task is over.
  package static func deadline(created: Date, totalTimeout: Double) -> Date {
    totalTimeout.isFinite ? created.addingTimeInterval(max(0, totalTimeout)) : .distantFuture
  }

  /// Bytes came since the last failure.
  package mutating func progressed() { failures = 0 }

  /// The transfer failed with this code of `NSURLErrorDomain`: seconds until the next attempt, or nil for none.
  package mutating func failed(_ code: Int, now: Date, deadline: Date) -> Double? {
    let isOfNetwork = [-1001, -1005, -1009].contains(code)
    guard isOfNetwork, now < deadline else { return nil }
    defer { failures += 1 }
    return failures == 0 ? 0 : min(60, pow(2, Double(failures - 1)))
  }
}
