// SPDX-License-Identifier: Apache-2.0

/// The verdict of a measurement on a claim.
public enum Verdict: String, Codable, Sendable, Hashable, CaseIterable {
  /// The measurement agrees with the note.
  case confirmed
  /// It agrees, with a condition that the lesson states.
  case qualified
  /// The measurement, and Apple's documentation, contradict the note.
  case refuted
  /// The claim names a defect of the note's code, and the run of that code shows it: what the claim says is true.
  case defectShown
  /// The measurement that would settle it is missing or not usable.
  case unsettled
}
