// SPDX-License-Identifier: Apache-2.0
import LessonServer

extension ClaimResult {
  /// Settles a claim; a missing measurement leaves it unsettled and says which. Where the table expects nothing, any
  /// verdict that the measurement leads to is as expected. Where the toolchain's column comes to the same verdict, that is the
  /// evidence.
  init(_ claim: Claim, settledFrom results: RunResults, _ witness: ToolchainWitness? = nil) {
    let row = ClaimTable[claim.id]
    let settled = Self.settlement(of: claim, from: results)
    self.init(
      id: claim.id, verdict: settled.verdict, expected: row?.expected ?? settled.verdict, evidence: row?.evidence,
      findings: settled.findings, explanation: settled.explanation)
    sameAs = row?.sameAs
    tooSmall = results.bodyBytes < claim.leastBody
    toolchain = witness?.verdict(on: claim, settledAs: settled)
    if toolchain?.verdict == verdict { evidence = .toolchain }
  }

  private static func settlement(of claim: Claim, from results: RunResults) -> Settlement {
    guard results.bodyBytes >= claim.leastBody else {
      return Settlement(
        .unsettled, measured: "not settled with this size",
        bound: "--size \(ByteCount(Int64(claim.leastBody))) or more")
    }
    do {
      return try claim.judged(by: results)
    } catch {
      let why = (error as? LessonKitError)?.phrase ?? Phrase(verbatim: "\(error)")
      return Settlement(.unsettled, measured: why, bound: "")
    }
  }
}
