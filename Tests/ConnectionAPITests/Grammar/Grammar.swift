// SPDX-License-Identifier: Apache-2.0
import Locking
import Testing

/// The ordering contract of the delegate's calls (A.4) as a regular expression over their letters.
enum Grammar {
  /// A load that has ended: exactly one end, and it is last.
  nonisolated(unsafe) private static let whole = /w[wns]*((rd*)+(f|e)|e)/
  /// A load that was cancelled: the beginning of one that would have ended.
  nonisolated(unsafe) private static let begun = /(w[wns]*((rd*)+(f|e)?|e)?)?/

  static func isWhole(_ calls: String) -> Bool { calls.wholeMatch(of: whole) != nil }
  static func isBegun(_ calls: String) -> Bool { calls.wholeMatch(of: begun) != nil }

  /// Fails the test when a load that has ended broke the contract.
  static func expectWhole(_ delegate: RecordingDelegate, sourceLocation: SourceLocation = #_sourceLocation) {
    let record = delegate.record.withLock { $0 }
    #expect(
      isWhole(record.calls), "\(record.calls) \(String(describing: record.error))", sourceLocation: sourceLocation)
    #expect(record.overlaps == 0, "calls came at the same time", sourceLocation: sourceLocation)
  }

  /// Fails the test when a cancelled load broke the contract.
  static func expectBegun(_ delegate: RecordingDelegate, sourceLocation: SourceLocation = #_sourceLocation) {
    let record = delegate.record.withLock { $0 }
    #expect(isBegun(record.calls), "\(record.calls)", sourceLocation: sourceLocation)
    #expect(record.overlaps == 0, "calls came at the same time", sourceLocation: sourceLocation)
  }
}
