// SPDX-License-Identifier: Apache-2.0

/// What a measurement says about a claim.
public enum Verdict: String, Codable, Sendable, Hashable, CaseIterable {
  /// The measurement agrees with the note.
  case confirmed
  /// It agrees, with a condition that the lesson states.
  case qualified
  /// The measurement, and Apple's documentation, contradict the note.
  case refuted
  /// The measurement that would settle it is missing or not usable.
  case unsettled
}
