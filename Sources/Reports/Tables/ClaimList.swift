// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The claims as `workbench claims` shows them.
public struct ClaimList {
  /// One claim, as `--json` prints it.
  public struct Row: Codable, Sendable, Hashable {
    /// The claim's name.
    public var id: String
    /// The note it comes from.
    public var note: String
    /// The note's title.
    public var noteTitle: String
    /// The lessons that settle it.
    public var lessons: [String]
    /// The statement of the note, in our words.
    public var sentence: String
    /// The verdict that is expected, or `by measurement`.
    public var expected: String
    /// The condition of a qualified claim.
    public var condition: String
    /// The note's own words; empty for a check.
    public var quote: String
    /// The line of the note that they stand in, nil for a check.
    public var line: Int?
    /// The kind of evidence that settles it.
    public var evidence: Evidence?
    /// The claim that it repeats, nil where there is none.
    public var sameAs: String?
    /// True if a lesson that exists settles it.
    public var isSettled: Bool
  }

  /// The rows, in the order of the table.
  public let rows: [Row]

  /// These claims, with the lessons that exist.
  public init(_ claims: [ClaimTable.Row], lessons: [Lesson]) {
    let settled = Set(lessons.flatMap { ($0.claims + $0.checks).map(\.id) })
    rows = claims.map { claim in
      Row(
        id: claim.id, note: claim.note, noteTitle: ClaimTable.notes[claim.note] ?? "",
        lessons: claim.lessons.map { $0 < 10 ? "lesson-0\($0)" : "lesson-\($0)" }, sentence: claim.sentence,
        expected: claim.expected?.rawValue ?? "by measurement", condition: claim.condition ?? "",
        quote: claim.quote ?? "",
        line: claim.line, evidence: claim.evidence, sameAs: claim.sameAs, isSettled: settled.contains(claim.id))
    }
  }

  /// The list for a terminal: the claims below the title of their note, each with the note's own sentence.
  public func text(style: TextStyle) -> String {
    var lines: [String] = []
    var note: String?
    for row in rows {
      if row.note != note {
        note = row.note
        let title = row.note.isEmpty ? style.say("Checks beyond the notes") : "\(row.note)  \(row.noteTitle)"
        lines += (lines.isEmpty ? [] : [""]) + [style.paint(title, .heading)]
      }
      lines += self.lines(row, style)
    }
    let sum = VerdictWords.sum(of: rows.map(\.id))
    return style.finished(lines + [""] + TextLayout.wrap(style.say(sum), style.width))
  }

  private func lines(_ row: Row, _ style: TextStyle) -> [String] {
    let indent = row.id.count + 2
    let sentence = TextLayout.wrap(style.catalogue(row.sentence), style.width - indent)
    let source = row.quote.isEmpty ? [] : TextLayout.wrap("“\(row.quote)”", style.width - indent)
    let details = TextLayout.wrap(style.say(self.details(row)), style.width - indent)
    return sentence.enumerated().map { index, line in
      (index == 0 ? style.paint(TextLayout.fill(row.id, indent), .heading) : String(repeating: " ", count: indent))
        + line
    }
      + (source + details).map { String(repeating: " ", count: indent) + style.paint($0, .faint) }
  }

  private func details(_ row: Row) -> Phrase {
    let verdict = Verdict(rawValue: row.expected).map(VerdictWords.of) ?? "by measurement"
    let condition = row.condition.isEmpty ? Phrase.empty : Phrase(key: row.condition)
    var parts: [Phrase] = [condition.isEmpty ? "expected: \(verdict)" : "expected: \(verdict), \(condition)"]
    if let evidence = row.evidence { parts.append(EvidenceWords.short(evidence)) }
    if let other = row.sameAs { parts.append("same as \(other)") }
    let numbers = row.lessons.map { String($0.dropFirst(7)) }.joined(separator: ", ")
    parts.append(row.isSettled ? "lesson \(numbers)" : "lesson \(numbers), not settled yet")
    return parts.joined(" · ")
  }
}
