// SPDX-License-Identifier: Apache-2.0

/// What was found out about a claim, point by point: each a figure beside its bound.
public struct Findings: Sendable {
  private var points: [(measured: String, bound: String, holds: Bool)] = []
  /// Why the verdict is what it is, in a sentence or two; empty where the figures say it all.
  public var explanation = ""

  /// Adds a point; `holds` says whether the figure keeps to the bound.
  public mutating func note(_ measured: String, _ bound: String, _ holds: Bool) {
    points.append((measured, bound, holds))
  }

  /// The verdict when every point holds, else the other one.
  func settlement(_ verdict: Verdict, otherwise: Verdict) -> Settlement {
    Settlement(
      points.allSatisfy(\.holds) ? verdict : otherwise, measured: Self.joined(points.map(\.measured)),
      bound: Self.joined(points.map(\.bound)), explanation: explanation)
  }

  /// Each sentence once.
  private static func joined(_ sentences: [String]) -> String {
    sentences.reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }.joined(separator: "; ")
  }
}

extension Claim {
  /// A claim that gets `verdict` when every point that `check` notes holds. Otherwise the measurement says the contrary:
  /// `refuted`, or `confirmed` where the points were to refute it.
  public init(
    _ id: String, _ verdict: Verdict = .confirmed, needs: [String], leastBody: Int = 0,
    because explanation: String = "",
    check: @escaping @Sendable (RunResults, inout Findings) throws -> Void
  ) {
    self.init(id, needs: needs, leastBody: leastBody) { results in
      var findings = Findings()
      findings.explanation = explanation
      try check(results, &findings)
      return findings.settlement(verdict, otherwise: verdict == .refuted ? .confirmed : .refuted)
    }
  }
}
