// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A lesson's claims and checks with their verdicts, each measured figure beside its bound.
struct ClaimRows {
  private static let indent = String(repeating: " ", count: 4)

  private let lesson: LessonResult
  private let style: TextStyle
  /// The columns of the longest verdict of the lesson, with its sign.
  private let width: Int
  private var paint: Paint { style.paint }

  init(_ lesson: LessonResult, style: TextStyle) {
    self.lesson = lesson
    self.style = style
    let verdicts = Set((lesson.claims + lesson.checks).map(\.verdict))
    width = 2 + (verdicts.map { TextLayout.width(style.say(VerdictWords.of($0))) }.max() ?? 0)
  }

  /// The claims, the checks and a sum of the verdicts; nothing where the lesson has neither.
  var lines: [String] {
    var lines: [String] = []
    if !lesson.claims.isEmpty { lines += ["", heading("Claims"), ""] + lesson.claims.flatMap(rows) }
    if !lesson.checks.isEmpty { lines += ["", heading("Checks beyond the notes"), ""] + lesson.checks.flatMap(rows) }
    guard !lines.isEmpty else { return [] }
    return lines + [""] + legend + VerdictSum(lesson.claims, checks: lesson.checks).lines(style)
  }

  private func heading(_ text: Phrase) -> String { paint(style.say(text), .heading) }

  // MARK: - One claim

  private func rows(_ claim: ClaimResult) -> [String] {
    let row = ClaimTable[claim.id]
    let sign = "\(VerdictWords.sign(claim.verdict)) \(style.say(VerdictWords.of(claim.verdict)))"
    let sentence = "\(claim.id)  \(style.catalogue(row?.sentence ?? ""))"
    let head = TextLayout.wrap(sentence, style.width - width - 2, indent: claim.id.count + 2)
    var lines = head.enumerated().map { index, line in
      (index == 0 ? paint(TextLayout.fill(sign, width), Self.role(claim)) : String(repeating: " ", count: width))
        + "  " + line
    }
    lines += source(of: claim, row).map { Self.indent + paint($0, .faint) }
    if !claim.isAsExpected {
      lines.append(Self.indent + paint(style.say("expected: \(VerdictWords.of(claim.expected))"), .bad))
    }
    lines += FindingRows(claim, columns: style.width - 4, style: style).lines.map { Self.indent + $0 }
    return lines
      + [claim.explanation, EvidenceWords.difference(of: claim)].filter { !$0.isEmpty }.flatMap { sentence in
        TextLayout.wrap(style.say(sentence), style.width - 4).map { Self.indent + paint($0, .faint) }
      }
  }

  /// The note's own sentence, the kind of evidence, and the claim that this one repeats.
  private func source(of claim: ClaimResult, _ row: ClaimTable.Row?) -> [String] {
    var parts: [Phrase] = []
    if let row, let line = row.line, let quote = row.quote { parts.append("\(row.note), line \(line): “\(quote)”") }
    parts.append(EvidenceWords.short(of: claim))
    if let other = claim.sameAs { parts.append("same as \(other)") }
    parts.removeAll(where: \.isEmpty)
    return parts.isEmpty ? [] : TextLayout.wrap(style.say(parts.joined("\u{A0}· ")), style.width - 4)
  }

  /// The meanings of the kinds of evidence that appear, and of the verdict on a defect of the note's code.
  private var legend: [String] {
    let claims = lesson.claims + lesson.checks
    let kinds = Set(claims.flatMap { [$0.evidence, $0.toolchain == nil ? nil : ClaimTable[$0.id]?.evidence] })
    let isDefect = lesson.claims.contains { $0.verdict == .defectShown }
    let defect: Phrase =
      "defect shown: the sentence says what is wrong with the note's code, and the run of that code shows it."
    let phrases = Evidence.allCases.filter { kinds.contains($0) }.map(EvidenceWords.long) + (isDefect ? [defect] : [])
    return phrases.flatMap { phrase in
      TextLayout.wrap(style.say(phrase), style.width, indent: 2).map { paint($0, .faint) }
    }
  }

  private static func role(_ claim: ClaimResult) -> Paint.Role {
    switch claim.verdict {
    case .confirmed: .good
    case .qualified, .refuted, .defectShown: .doubtful
    case .unsettled: claim.tooSmall ? .faint : .bad
    }
  }
}

/// The findings of a claim, a line for each where they fit: what, measured, bound.
struct FindingRows {
  private static let widest = 36
  /// The columns of a bound that is no longer than a reference to it.
  private static let short = 24
  private let claim: ClaimResult
  private let columns: Int
  private let style: TextStyle

  init(_ claim: ClaimResult, columns: Int, style: TextStyle) {
    self.claim = claim
    self.columns = columns
    self.style = style
  }

  /// The lines; a finding that does not hold bears a cross.
  var lines: [String] {
    let findings = claim.findings.filter { !$0.measured.isEmpty || !$0.holds }
    let width = findings.map { TextLayout.width(style.say($0.what)) }.max() ?? 0
    return Self.once(findings, style).flatMap { finding in
      // A size that is too small for a claim is no fault of what was measured.
      let sign = finding.holds || claim.tooSmall ? "·" : "✗"
      return width > Self.widest ? sentence(finding, sign) : columns(finding, sign, width)
    }
  }

  /// The findings without the bounds that say nothing new: what was measured to the letter, and a long one that stands
  /// beside a point above. One that does not hold keeps its bound.
  private static func once(_ findings: [Finding], _ style: TextStyle) -> [Finding] {
    var seen: Set<String> = []
    return findings.map { finding in
      let bound = style.say(finding.bound)
      let isOld = !seen.insert(bound).inserted && TextLayout.width(bound) > short
      guard finding.holds, isOld || bound == style.say(finding.measured) else { return finding }
      var finding = finding
      finding.bound = .empty
      return finding
    }
  }

  /// Sets the finding's `what` in a column of its own, the rest beside it.
  private func columns(_ finding: Finding, _ sign: String, _ width: Int) -> [String] {
    let head = width == 0 ? sign : "\(sign) \(TextLayout.fill(style.say(finding.what), width))"
    let indent = TextLayout.width(head) + 1
    let text = bounded(style.say(finding.measured), by: finding)
    let wrapped = TextLayout.wrap(String(repeating: " ", count: indent) + text, columns, indent: indent)
    return wrapped.enumerated().map { index, line in
      index == 0 ? head + line.dropFirst(TextLayout.width(head)) : line
    }
  }

  /// Writes a finding whose `what` is too wide for a column: a colon parts it from what was measured.
  private func sentence(_ finding: Finding, _ sign: String) -> [String] {
    let measured = finding.what.isEmpty ? finding.measured : "\(finding.what): \(finding.measured)"
    return TextLayout.wrap("\(sign) \(bounded(style.say(measured), by: finding))", columns, indent: 4)
  }

  private func bounded(_ measured: String, by finding: Finding) -> String {
    let bound = style.say(finding.bound)
    return bound.isEmpty ? measured : "\(measured)  [\(bound)]"
  }
}
