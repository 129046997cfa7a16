// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A lesson's claims with their verdicts, the measured figure beside the bound.
struct ClaimRows {
  private static let indent = String(repeating: " ", count: 4)

  private let claims: [ClaimResult]
  private let columns: Int
  private let paint: Paint

  init(_ claims: [ClaimResult], columns: Int, paint: Paint) {
    self.claims = claims
    self.columns = columns
    self.paint = paint
  }

  /// The claims and a sum of their verdicts.
  var lines: [String] {
    guard !claims.isEmpty else { return [paint("No claim could be settled from the examples that ran.", .faint)] }
    return [paint("Claims", .heading), ""] + claims.flatMap(rows) + [""] + summary
  }

  private func rows(_ claim: ClaimResult) -> [String] {
    let sentence = ClaimTable[claim.id]?.sentence ?? ""
    let verdict = TextLayout.fill("\(Self.sign(claim.verdict)) \(claim.verdict.rawValue)", 12)
    let head = TextLayout.wrap("\(claim.id)  \(sentence)", columns - 14, indent: 7)
    var lines = head.enumerated().map { index, line in
      (index == 0 ? paint(verdict, Self.role(claim.verdict)) : String(repeating: " ", count: 12)) + "  " + line
    }
    if claim.verdict != claim.expected {
      lines.append(Self.indent + paint("expected: \(claim.expected.rawValue)", .bad))
    }
    lines += figures(claim)
    if !claim.explanation.isEmpty {
      lines += TextLayout.wrap(claim.explanation, columns - 4).map { Self.indent + paint($0, .faint) }
    }
    return lines
  }

  /// Measured and bound on one line beside each other where they fit, else one below the other.
  private func figures(_ claim: ClaimResult) -> [String] {
    let measured = TextLayout.wrap(claim.measured, columns - 14)
    let bound = TextLayout.wrap(claim.bound, columns - 14)
    let half = (columns - 4 - 10 - 9) / 2
    if measured.count == 1, bound.count <= 1, TextLayout.width(claim.measured) <= half,
      TextLayout.width(claim.bound) <= half
    {
      let left = paint("measured  ", .faint) + TextLayout.fill(claim.measured, half)
      return [Self.indent + (claim.bound.isEmpty ? left : left + paint("  bound  ", .faint) + claim.bound).trimmedEnd]
    }
    return labelled("measured", measured) + (claim.bound.isEmpty ? [] : labelled("bound", bound))
  }

  private func labelled(_ label: String, _ lines: [String]) -> [String] {
    lines.enumerated().map { index, line in
      Self.indent + paint(TextLayout.fill(index == 0 ? label : "", 10), .faint) + line
    }
  }

  private var summary: [String] {
    let sums = Verdict.allCases.compactMap { verdict in
      let count = claims.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let surprises = claims.count { $0.verdict != $0.expected }
    let end = surprises == 0 ? "all as expected" : "\(surprises) not as expected"
    let text = "\(Figures.count(claims.count, "claim")): \(sums.joined(separator: ", ")); \(end)."
    return TextLayout.wrap(text, columns).map { paint($0, surprises == 0 ? .good : .bad) }
  }

  private static func sign(_ verdict: Verdict) -> String {
    switch verdict {
    case .confirmed: "✓"
    case .qualified: "≈"
    case .refuted: "✗"
    case .unsettled: "?"
    }
  }

  private static func role(_ verdict: Verdict) -> Paint.Role {
    switch verdict {
    case .confirmed: .good
    case .qualified, .refuted: .doubtful
    case .unsettled: .bad
    }
  }
}
