// SPDX-License-Identifier: Apache-2.0

/// How a lesson settles one claim of the notes from what its examples did.
public struct Claim: Sendable {
  /// The claim's name in the table of claims, such as `N1-11`.
  public var id: String
  /// The examples it is settled from. When one of them did not run, the claim is left out of the report.
  public var needs: [String]
  /// The smallest S in bytes that can settle it; below it the claim stays unsettled.
  public var leastBody: Int
  /// The judgement, from measurements alone.
  public var settle: @Sendable (RunResults) throws -> Settlement

  /// A claim as given.
  public init(
    _ id: String, needs: [String], leastBody: Int = 0, settle: @escaping @Sendable (RunResults) throws -> Settlement
  ) {
    self.id = id
    self.needs = needs
    self.leastBody = leastBody
    self.settle = settle
  }
}

/// What became of a claim.
public struct Settlement: Sendable, Hashable {
  /// What the measurement says.
  public var verdict: Verdict
  /// What was measured.
  public var measured: String
  /// What it was measured against.
  public var bound: String
  /// Why the verdict is what it is, in one sentence; empty where the figures say it all.
  public var explanation: String

  /// A settlement as given.
  public init(_ verdict: Verdict, measured: String, bound: String, explanation: String = "") {
    self.verdict = verdict
    self.measured = measured
    self.bound = bound
    self.explanation = explanation
  }
}
