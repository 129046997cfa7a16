// SPDX-License-Identifier: Apache-2.0

/// How a lesson settles one claim of the notes, or one pitfall check, from what its examples did.
public struct Claim: Sendable {
  /// The claim's name in the table of claims, such as `N1-11`; a pitfall check's is `P19-01`.
  public var id: String
  /// The examples it is settled from. When one of them did not run, the claim is left out of the report.
  public var needs: [String]
  /// The smallest S in bytes that can settle it; below it the claim stays unsettled.
  public var leastBody: Int
  /// True if its points are about what only this package does, such as the sentences it notes: the toolchain's column says
  /// nothing about it.
  var isAboutOursAlone = false
  /// The explanation that is known before anything ran, for those who look for missing translations.
  var explanation = Phrase.empty
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

  /// The settlement from these results. Where points fail whose figure is a time, and no others, while the machine was busy, the
  /// times say nothing and the claim is not settled. Figures know that they are times (`TimeShown`), so this holds for each claim.
  func judged(by results: RunResults) throws -> Settlement {
    let settled = try settle(results)
    let failed = settled.findings.filter { !$0.holds }
    guard !failed.isEmpty, failed.allSatisfy(\.measured.showsTime), let busy = results.disturbance(of: needs) else {
      return settled
    }
    return Settlement(.unsettled, findings: settled.findings, explanation: busy.words)
  }

  /// The same claim, of which the toolchain's column says nothing.
  public func aboutOursAlone() -> Claim {
    var copy = self
    copy.isAboutOursAlone = true
    return copy
  }
}

/// The settlement of a claim.
public struct Settlement: Sendable, Hashable {
  /// The verdict of the measurement.
  public var verdict: Verdict
  /// The findings of the measurement, point by point.
  public var findings: [Finding]
  /// Why the verdict is what it is, in one sentence; empty where the figures say it all.
  public var explanation: Phrase

  /// A settlement as given.
  public init(_ verdict: Verdict, findings: [Finding], explanation: Phrase = .empty) {
    self.verdict = verdict
    self.findings = findings
    self.explanation = explanation
  }

  /// A settlement from one point.
  public init(_ verdict: Verdict, measured: Phrase, bound: Phrase, explanation: Phrase = .empty) {
    self.init(
      verdict, findings: [Finding(measured: measured, bound: bound, holds: verdict != .unsettled)],
      explanation: explanation)
  }
}
