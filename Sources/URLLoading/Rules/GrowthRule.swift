// SPDX-License-Identifier: Apache-2.0

/// When a body that is collected in memory grows out of all proportion to what was sent (CE-05, CVE-2022-32206).
/// Pure.
///
/// A small body may be as dense as it likes, and a large one as dense as real data is: only what is both large and dense
/// is refused. Bodies that go to a delegate in pieces or into a file need no such rule; their memory is bounded anyhow.
enum GrowthRule {
  /// Bytes that any body may have after decoding.
  static let harmless: Int64 = 64 << 20
  /// How many times larger than what was sent a body beyond that may be; deflate can reach 1,032 for each coding.
  static let densest: Int64 = 100

  /// True if a body of `decoded` bytes so far, for which `sent` bytes arrived, is to be refused.
  static func isBomb(decoded: Int64, sent: Int64) -> Bool {
    decoded > harmless && decoded / densest > sent
  }
}
