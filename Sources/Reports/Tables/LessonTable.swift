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
  }

  /// The rows, in the order of the course.
  public let rows: [Row]

  /// A table of these lessons.
  public init(_ lessons: [Lesson]) {
    rows = lessons.map { lesson in
      Row(
        id: lesson.id, slug: lesson.slug, title: lesson.title, minutes: lesson.minutes,
        examples: lesson.examples.map(\.id), claims: lesson.claims.map(\.id))
    }
  }

  /// The table for a terminal.
  public func text(style: TextStyle) -> String {
    let names = (rows.map(\.slug.count).max() ?? 0) + 2
    let titles = (rows.map { TextLayout.width($0.title) }.max() ?? 0) + 2
    return rows.map { row in
      style.paint(TextLayout.fill(row.id, 11), .heading) + TextLayout.fill(row.slug, names)
        + TextLayout.fill(row.title, titles)
        + "\(Figures.count(row.examples.count, "example")), \(Figures.count(row.claims.count, "claim")), "
        + "\(row.minutes) min\n"
    }.joined()
  }
}
