// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// True if a transfer of a background session that failed is tried again, and when. Pure: the time is given.
///
/// A failure of the network is no end in the background: a silence, a lost connection and a missing network lead to
/// another attempt until the time for the resource is over. What the server or the program did is an end.
///
/// Attempts without progress come after pauses that grow to a minute, and no two attempts begin within a second. Progress is
/// a byte that was never there before: an upload that begins anew each time makes none.
package struct RetryRule: Sendable {
  private var failures = 0
  /// The most bytes of a body that were there.
  private var furthest: Int64 = 0
  /// When the attempt that is under way was to begin.
  private var lastBegin: Date?

  private static let secondsBetweenAttempts = 1.0

  package init() {}

  /// Bytes arrived since the last failure.
  package mutating func progressed() { failures = 0 }

  /// So many bytes of the response's body are there.
  package mutating func received(_ count: Int64) {
    guard count > furthest else { return }
    furthest = count
    progressed()
  }

  /// True if a failure comes of the network, and may be gone at the next attempt.
  ///
  /// A name that does not exist and a port that is refused are answers, and final. A resolver that cannot be asked, and a
  /// host to which no way leads, are what a machine sees that has no network for a while. `systemError` is the reason
  /// (errno) why a connection was not made; `lookup` what getaddrinfo(3) says of the name afterwards, 0 for an address.
  package static func isOfNetwork(_ code: Int, systemError: Int32? = nil, lookup: Int32? = nil) -> Bool {
    switch code {
    case -1001, -1005, -1009: true
    case -1003: lookup.map { [0, EAI_AGAIN, EAI_SYSTEM, EAI_MEMORY].contains($0) } ?? false
    case -1004:
      systemError.map { [EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, ETIMEDOUT].contains($0) } ?? false
    default: false
    }
  }

  /// The transfer failed with so many bytes there: seconds until the next attempt, or nil for none. `isInTime`: the
  /// time of the task is not over.
  package mutating func failed(isOfNetwork: Bool, received count: Int64 = 0, now: Date, isInTime: Bool) -> Double? {
    received(count)
    guard isOfNetwork, isInTime else { return nil }
    let delay = failures == 0 ? 0 : min(60, pow(2, Double(failures - 1)))
    // A clock that was set back says nothing.
    let since = lastBegin.map { now.timeIntervalSince($0) }.flatMap { $0 < 0 ? nil : $0 } ?? .infinity
    let pause = max(delay, Self.secondsBetweenAttempts - since)
    (failures, lastBegin) = (failures + 1, now + pause)
    return pause
  }
}
