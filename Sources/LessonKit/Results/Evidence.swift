// SPDX-License-Identifier: Apache-2.0

/// The evidence that a verdict rests on. No verdict comes from a measurement of Apple's own library.
public enum Evidence: String, Codable, Sendable, Hashable, CaseIterable {
  /// HTTP, the system or memory decides it, not the library: the same holds for any client.
  case independent
  /// The library decides it. Apple documents the rule, and this library is built after the rule: the measurement shows
  /// that it is kept here.
  case reproduced
  /// The columns of the lesson show it, and the toolchain's own library, which others wrote, shows it too. It takes the place
  /// of the others in a run that measured that library.
  case toolchain
}
