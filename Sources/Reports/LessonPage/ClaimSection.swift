// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A lesson's claims and checks, each measured figure beside its bound: first those with an unexpected verdict, then
/// the refuted ones, the defects and the qualified ones, the rest in their order.
struct ClaimSection {
  let say: StringCatalogue
  let level: Int

  /// Makes the values that the template `claims` shows; nil where there are no claims.
  func values(_ title: Phrase, _ claims: [ClaimResult]) -> [String: Any]? {
    guard !claims.isEmpty else { return nil }
    let order = claims.enumerated().sorted { (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset) }
    return [
      "title": say(title), "level": level, "below": level + 1,
      "bounds": say("bound" as Phrase), "measured": say("measured" as Phrase), "what": say("what" as Phrase),
      "claims": order.map { values($0.element) },
    ]
  }

  private static func rank(_ claim: ClaimResult) -> Int {
    if !claim.isAsExpected { return 0 }
    return switch claim.verdict {
    case .refuted: 1
    case .defectShown: 2
    case .qualified: 3
    case .confirmed: 4
    case .unsettled: 5
    }
  }

  private func values(_ claim: ClaimResult) -> [String: Any] {
    let row = ClaimTable[claim.id]
    var values: [String: Any] = [
      "id": claim.id, "sentence": row.map { say($0.sentence) } ?? "",
      "verdict": say(VerdictWords.of(claim.verdict)), "style": style(claim), "kind": claim.verdict.rawValue,
      "sign": VerdictWords.sign(claim.verdict),
      "level": level, "below": level + 1,
      "source": say(source(of: claim, row)), "explanation": say(claim.explanation),
      "toolchain": say(EvidenceWords.difference(of: claim)),
      "findings": claim.findings.filter { !$0.measured.isEmpty || !$0.holds }.map { finding in
        [
          "what": say(finding.what), "measured": say(finding.measured),
          "bound": finding.holds && say(finding.bound) == say(finding.measured) ? "" : say(finding.bound),
          "sign": finding.holds || claim.tooSmall ? "" : "✗",
        ]
      },
    ]
    if !claim.isAsExpected { values["expected"] = say.say("expected: \(VerdictWords.of(claim.expected))") }
    if let findings = values["findings"] as? [Any], !findings.isEmpty { values["rows"] = true }
    return values.compact
  }

  private func source(of claim: ClaimResult, _ row: ClaimTable.Row?) -> Phrase {
    var parts: [Phrase] = []
    if let row, let line = row.line, let quote = row.quote { parts.append("\(row.note), line \(line): “\(quote)”") }
    parts.append(EvidenceWords.short(of: claim))
    if let other = claim.sameAs { parts.append("same as \(other)") }
    return parts.joined(" · ")
  }

  private func style(_ claim: ClaimResult) -> String {
    if !claim.isAsExpected { return "unexpected" }
    return claim.verdict.rawValue
  }
}
