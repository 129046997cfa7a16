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
    /// What the note says, in our words.
    public var sentence: String
    /// The verdict that is expected, or `by measurement`.
    public var expected: String
    /// The condition of a qualified claim.
    public var condition: String
    /// Whether a lesson that exists settles it.
    public var isSettled: Bool
  }

  /// The rows, in the order of the table.
  public let rows: [Row]

  /// These claims, with the lessons that exist.
  public init(_ claims: [ClaimTable.Row], lessons: [Lesson]) {
    let settled = Set(lessons.flatMap { $0.claims.map(\.id) })
    rows = claims.map { claim in
      Row(
        id: claim.id, note: claim.note, noteTitle: ClaimTable.notes[claim.note] ?? "",
        lessons: claim.lessons.map { $0 < 10 ? "lesson-0\($0)" : "lesson-\($0)" }, sentence: claim.sentence,
        expected: claim.expected?.rawValue ?? "by measurement", condition: claim.condition,
        isSettled: settled.contains(claim.id))
    }
  }

  /// The list for a terminal: one or two lines a claim, below the title of its note.
  public func text(style: TextStyle) -> String {
    var lines: [String] = []
    var note = ""
    for row in rows {
      if row.note != note {
        note = row.note
        lines += (lines.isEmpty ? [] : [""]) + [style.paint("\(row.note)  \(row.noteTitle)", .heading)]
      }
      lines += self.lines(row, style)
    }
    let settled = rows.count(where: \.isSettled)
    lines += ["", "\(Figures.count(rows.count, "claim")), \(settled) settled by the lessons that exist."]
    return lines.map { $0.trimmedEnd + "\n" }.joined()
  }

  private func lines(_ row: Row, _ style: TextStyle) -> [String] {
    let lessons = row.lessons.map { String($0.dropFirst(7)) }.joined(separator: ", ")
    let state = row.isSettled ? "lesson \(lessons)" : "lesson \(lessons), not settled yet"
    let expected = row.condition.isEmpty ? row.expected : "\(row.expected): \(row.condition)"
    let sentence = TextLayout.wrap(row.sentence, style.width - 7)
    let details = TextLayout.wrap("\(expected) · \(state)", style.width - 9)
    return sentence.enumerated().map { index, line in
      (index == 0 ? style.paint(TextLayout.fill(row.id, 7), .heading) : String(repeating: " ", count: 7)) + line
    } + details.map { String(repeating: " ", count: 9) + style.paint($0, row.isSettled ? .good : .faint) }
  }
}
