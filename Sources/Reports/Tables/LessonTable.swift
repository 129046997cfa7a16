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

  private let parts: [CoursePart]
  /// How the states of exercises are called.
  private let words: [String: Phrase]

  /// A table of these lessons, below the titles of the course's parts. `exercises` has a state for the id of each lesson
  /// that has an exercise, and `words` says how the states are called.
  public init(
    _ lessons: [Lesson], parts: [CoursePart] = [], exercises: [String: String] = [:], words: [String: Phrase] = [:]
  ) {
    (self.parts, self.words) = (parts, words)
    rows = lessons.map { lesson in
      Row(
        id: lesson.id, slug: lesson.slug, title: lesson.title, minutes: lesson.minutes,
        examples: lesson.examples.map(\.id), claims: lesson.claims.map(\.id),
        exercise: exercises[lesson.id])
    }
  }

  /// The table for a terminal: number, title, name, minutes, examples, claims, the exercise's state. On a narrow one columns
  /// are left out, the name first, for the number stands for it in every command; a title is cut last of all.
  public func text(style: TextStyle) -> String {
    let columns = fitting(style)
    var lines = [style.paint(line(columns.map(\.head), columns).trimmedEnd, .faint)]
    for group in groups where !group.rows.isEmpty {
      if let title = group.title { lines += ["", style.paint(style.say(title), .heading)] }
      lines += group.rows.map { row in line(columns.map { $0.cells[row] }, columns) }
    }
    let minutes = rows.reduce(0) { $0 + $1.minutes }
    let sum: Phrase =
      "\(Phrase.count(rows.count, "lesson")), \(minutes) minutes in all. Run one: workbench run 5. A plan: workbench show course."
    return style.finished(lines + [""] + TextLayout.wrap(style.say(sum), style.width))
  }

  // MARK: - Rows

  /// The rows by their parts; those of no part come last and have no title.
  private var groups: [(title: Phrase?, rows: [Int])] {
    let places = rows.map { row in parts.firstIndex { $0.lessons.contains(Int(row.id.dropFirst(7)) ?? 0) } }
    return parts.indices.map { part in (parts[part].title, rows.indices.filter { places[$0] == part }) }
      + [(nil, rows.indices.filter { places[$0] == nil })]
  }

  private func line(_ cells: [String], _ columns: [Column]) -> String {
    zip(cells, columns).map { cell, column in
      if column.isFigure { return TextLayout.fillLeft(cell, column.width) }
      return TextLayout.fill(TextLayout.shortened(cell, column.width), column.width)
    }.joined(separator: "  ").trimmedEnd
  }

  // MARK: - Columns

  /// A column with its cells, one for each row.
  private struct Column {
    var head: String
    var cells: [String]
    var isFigure: Bool
    var width: Int
    /// When it is left out on a narrow terminal, the lowest rank first; never where it has none.
    var rank: Int?

    init(_ head: String, _ cells: [String], isFigure: Bool = false, rank: Int? = nil) {
      (self.head, self.cells, self.isFigure, self.rank) = (head, cells, isFigure, rank)
      width = ([head] + cells).map(TextLayout.width).max() ?? 0
    }
  }

  /// The columns that fit the terminal.
  private func fitting(_ style: TextStyle) -> [Column] {
    func total(_ columns: [Column]) -> Int { columns.reduce(2 * (columns.count - 1)) { $0 + $1.width } }
    var columns = all(style).filter { $0.rank == nil || !$0.cells.allSatisfy(\.isEmpty) }
    while total(columns) > style.width, let next = columns.compactMap(\.rank).min() {
      columns.removeAll { $0.rank == next }
    }
    columns[1].width -= max(0, total(columns) - style.width)
    return columns
  }

  private func all(_ style: TextStyle) -> [Column] {
    func head(_ title: Phrase) -> String { style.say(title) }
    let states = rows.map { row in row.exercise.map { style.say(words[$0] ?? Phrase(verbatim: $0)) } ?? "" }
    return [
      Column(head("no."), rows.map { String($0.id.dropFirst(7)) }),
      Column(head("title"), rows.map { style.catalogue($0.title) }),
      Column(head("name"), rows.map(\.slug), rank: 0),
      Column(head("min"), rows.map { "\($0.minutes)" }, isFigure: true, rank: 3),
      Column(head("examples"), rows.map { "\($0.examples.count)" }, isFigure: true, rank: 1),
      Column(head("claims"), rows.map { $0.claims.isEmpty ? "–" : "\($0.claims.count)" }, isFigure: true, rank: 2),
      Column(head("exercise"), states, rank: 4),
    ]
  }
}
