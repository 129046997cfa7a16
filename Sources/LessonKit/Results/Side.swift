// SPDX-License-Identifier: Apache-2.0

/// The column an example stands in.
public enum Side: String, Codable, Sendable, Hashable, CaseIterable {
  /// The NSURLConnection way.
  case connection
  /// The URLSession way.
  case session
  /// The toolchain's own URLSession, for comparison.
  case foundation
}
