// SPDX-License-Identifier: Apache-2.0

/// The findings about a claim, point by point: each a figure beside its bound.
public struct Findings: Sendable {
  private(set) var points: [Finding] = []
  /// Why the verdict is what it is, in a sentence or two; empty where the figures say it all.
  public var explanation = Phrase.empty

  /// No point yet.
  public init() {}

  /// Adds a point about `what`, such as an example's name; `holds` says whether the figure keeps to the bound.
  public mutating func note(_ what: Phrase, _ measured: Phrase, _ bound: Phrase, _ holds: Bool) {
    points.append(Finding(what: what, measured: measured, bound: bound, holds: holds))
  }

  /// Adds a point; `holds` says whether the figure keeps to the bound.
  public mutating func note(_ measured: Phrase, _ bound: Phrase, _ holds: Bool) {
    note(.empty, measured, bound, holds)
  }

  /// The verdict when every point holds, else the other one; unsettled where there is no point.
  public func settlement(_ verdict: Verdict, otherwise: Verdict) -> Settlement {
    Settlement(
      points.isEmpty ? .unsettled : points.allSatisfy(\.holds) ? verdict : otherwise, findings: points,
      explanation: explanation)
  }
}

extension Claim {
  /// A claim that gets `verdict` when every point that `check` notes holds. Otherwise the measurement says the contrary:
  /// `refuted`, or `confirmed` where the points were to refute it. A defect that does not show is a claim refuted.
  public init(
    _ id: String, _ verdict: Verdict = .confirmed, needs: [String], leastBody: Int = 0,
    because explanation: Phrase = .empty,
    check: @escaping @Sendable (RunResults, inout Findings) throws -> Void
  ) {
    self.init(id, needs: needs, leastBody: leastBody) { results in
      var findings = Findings()
      findings.explanation = explanation
      try check(results, &findings)
      return findings.settlement(verdict, otherwise: verdict == .refuted ? .confirmed : .refuted)
    }
    self.explanation = explanation
  }
}
