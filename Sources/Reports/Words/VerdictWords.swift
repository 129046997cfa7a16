// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Verdicts in words.
enum VerdictWords {
  static func of(_ verdict: Verdict) -> Phrase {
    switch verdict {
    case .confirmed: "confirmed"
    case .qualified: "qualified"
    case .refuted: "refuted"
    case .defectShown: "defect shown"
    case .unsettled: "unsettled"
    }
  }

  /// The sign before a verdict in words.
  static func sign(_ verdict: Verdict) -> String {
    switch verdict {
    case .confirmed: "✓"
    case .qualified: "≈"
    case .refuted: "✗"
    case .defectShown: "!"
    case .unsettled: "?"
    }
  }

  /// How many claims and checks these are; claims that repeat another are named.
  static func sum(of ids: [String]) -> Phrase {
    let claims = ids.filter { !$0.hasPrefix("P") }
    let repeats = claims.count - ClaimTable.counted(claims).count
    let checks = ids.count - claims.count
    let words: Phrase = "\(Phrase.count(claims.count, "claim")), \(repeats) of them the same as another"
    return checks == 0 ? "\(words)." : "\(words); \(Phrase.count(checks, "check"))."
  }
}

/// Kinds of evidence in words.
enum EvidenceWords {
  static func short(_ evidence: Evidence) -> Phrase {
    switch evidence {
    case .independent: "independent evidence"
    case .reproduced: "reproduced"
    case .toolchain: "the toolchain's, too"
    }
  }

  static func long(_ evidence: Evidence) -> Phrase {
    switch evidence {
    case .independent: "independent evidence: HTTP, the system, memory; true of any client."
    case .reproduced:
      "reproduced: a rule of Apple's API as documented, built here accordingly; Apple's library was not measured."
    case .toolchain:
      "the toolchain's, too: the same points hold for the toolchain's own URLSession, which others wrote."
    }
  }

  /// The kind of evidence of a claim. Where the toolchain's is added to one that the table of claims names, both.
  static func short(of claim: ClaimResult) -> Phrase {
    let known = claim.evidence == .toolchain ? ClaimTable[claim.id]?.evidence : nil
    return [known, claim.evidence].compactMap { $0.map(short) }.joined(" · ")
  }

  /// Tells the findings of the toolchain's URLSession where the claim's verdict does not rest on it; empty elsewhere.
  static func difference(of claim: ClaimResult) -> Phrase {
    guard let toolchain = claim.toolchain, toolchain.verdict != claim.verdict else { return .empty }
    let points = toolchain.differing.prefix(2).map { point -> Phrase in
      let figure: Phrase = point.bound.isEmpty ? point.measured : "\(point.measured) [\(point.bound)]"
      return point.what.isEmpty ? figure : "\(point.what): \(figure)"
    }
    return "The toolchain’s URLSession differs: \(points.joined("; "))"
  }
}

/// How many claims got which verdict. A claim that repeats another counts once with it, and however many lessons settle
/// it; one that got different verdicts counts as the one that was not expected.
struct VerdictSum {
  private let claims: [ClaimResult]
  private let checks: [ClaimResult]
  /// The claims that repeat another one and are not counted again.
  private let repeated: Int

  init(_ claims: [ClaimResult], checks: [ClaimResult]) {
    let known = Set(claims.map(\.id))
    let first = claims.filter { claim in claim.sameAs.map { !known.contains($0) } ?? true }
    self.claims = Self.once(first)
    repeated = Set(claims.map(\.id)).subtracting(first.map(\.id)).count
    self.checks = Self.once(checks)
  }

  private static func once(_ claims: [ClaimResult]) -> [ClaimResult] {
    Dictionary(grouping: claims, by: \.id).values.compactMap { settled in
      settled.first { !$0.isAsExpected } ?? settled.first
    }
  }

  /// How many claims are counted.
  var count: Int { claims.count }

  /// The sums, as "12 confirmed, 2 refuted".
  var phrase: Phrase {
    Verdict.allCases.map { verdict -> Phrase in
      let count = claims.count { $0.verdict == verdict }
      guard count > 0 else { return .empty }
      if verdict == .defectShown { return .count(count, "defect shown", "defects shown") }
      return verdict == .unsettled && claims.allSatisfy { $0.verdict != .unsettled || $0.tooSmall }
        ? "\(count) not settled with this size" : "\(count) \(VerdictWords.of(verdict))"
    }.joined()
  }

  /// How many claims there are, and how many of them repeat another.
  private var counted: Phrase {
    let all = Phrase.count(claims.count + repeated, "claim")
    return repeated > 0 ? "\(all), \(repeated) of them the same as another" : all
  }

  /// The sums for a terminal: the claims, the checks, and the unexpected verdicts.
  func lines(_ style: TextStyle) -> [String] {
    var lines: [String] = []
    if !claims.isEmpty { lines.append(style.say("\(counted): \(phrase).")) }
    if !checks.isEmpty {
      let held = checks.count { $0.verdict == .confirmed }
      lines.append(style.say("\(Phrase.count(checks.count, "check")): \(held) held."))
    }
    let surprises = (claims + checks).filter { !$0.isAsExpected }.map(\.id).sorted()
    var wrapped = lines.flatMap { TextLayout.wrap($0, style.width) }
    if !surprises.isEmpty {
      let text = style.say("Not as expected: \(surprises.joined(separator: ", ")).")
      wrapped += TextLayout.wrap(text, style.width).map { style.paint($0, .bad) }
    }
    return wrapped
  }
}
