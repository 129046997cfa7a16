// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The lessons as `workbench list` shows them.
public struct LessonTable {
  /// One lesson, as `--json` prints it.
  public struct Row: Codable, Sendable, Hashable {
    /// Its id, such as `lesson-05`.
    public var id: String
    /// Its name in commands.
    public var slug: String
    /// Its title.
    public var title: String
    /// Minutes of reading and running.
    public var minutes: Int
    /// The ids of its examples.
    public var examples: [String]
    /// The ids of its claims.
    public var claims: [String]
    /// How far the reader is with its exercise: new, started, failing or passed; nil where it has none.
    public var exercise: String?
  }

  /// The rows, in the order of the course.
  public let rows: [Row]

  /// How the states of exercises are called.
  private let words: [String: Phrase]

  /// A table of these lessons. `exercises` has a state for the id of each lesson that has an exercise, and `words` says how the
  /// states are called.
  public init(_ lessons: [Lesson], exercises: [String: String] = [:], words: [String: Phrase] = [:]) {
    self.words = words
    rows = lessons.map { lesson in
      Row(
        id: lesson.id, slug: lesson.slug, title: lesson.title, minutes: lesson.minutes,
        examples: lesson.examples.map(\.id), claims: lesson.claims.map(\.id),
        exercise: exercises[lesson.id])
    }
  }

  /// The table for a terminal: number, name, minutes, examples, claims, the exercise's state, and as much of the title as
  /// fits.
  public func text(style: TextStyle) -> String {
    let cells = rows.map { row in
      [
        String(row.id.dropFirst(7)), row.slug, "\(row.minutes)", "\(row.examples.count)", "\(row.claims.count)",
        row.exercise.map { style.say(words[$0] ?? Phrase(verbatim: $0)) } ?? "", style.catalogue(row.title),
      ]
    }
    let titles: [Phrase] = ["no.", "name", "min", "examples", "claims", "exercise", "title"]
    let head = titles.map(style.say)
    let widths = head.indices.map { column in
      ([head] + cells).map { TextLayout.width($0[column]) }.max() ?? 0
    }
    let lines = ([head] + cells).enumerated().map { index, row in
      let figures = (2...4).map { TextLayout.fillLeft(row[$0], widths[$0]) }
      let line =
        ([TextLayout.fill(row[0], widths[0]), TextLayout.fill(row[1], widths[1])] + figures
        + [TextLayout.fill(row[5], widths[5]), row[6]])
        .joined(separator: "  ")
      let cut = TextLayout.width(line) > style.width ? TextLayout.cut(line, style.width - 1).0 + "…" : line
      return index == 0 ? style.paint(cut, .faint) : cut
    }
    let minutes = rows.reduce(0) { $0 + $1.minutes }
    let sum: Phrase =
      "\(Phrase.count(rows.count, "lesson")), \(minutes) minutes in all. Run one: workbench run 5. A plan: workbench show course."
    return style.finished(lines + [""] + TextLayout.wrap(style.say(sum), style.width))
  }
}
