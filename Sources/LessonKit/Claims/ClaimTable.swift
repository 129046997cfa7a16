// SPDX-License-Identifier: Apache-2.0

/// Every claim of the notes that the workbench settles, with the lesson that does it and what is to be expected.
public enum ClaimTable {
  /// One claim of a note.
  public struct Row: Codable, Sendable, Hashable {
    /// Its name: the note and a number, such as `N1-11`.
    public var id: String
    /// The note it comes from, `N1` to `N5`.
    public var note: String
    /// The numbers of the lessons that settle it.
    public var lessons: [Int]
    /// What the note says, in our words.
    public var sentence: String
    /// What Apple's documentation leads us to expect; nil where only the measurement can say.
    public var expected: Verdict?
    /// The condition of a qualified claim; empty for others.
    public var condition: String
  }

  /// All rows, in order.
  public static let rows: [Row] = note1 + note2 + note3 + note4 + note5

  /// The row of that name.
  public static subscript(id: String) -> Row? { byID[id] }

  /// The claims that the lesson of that number settles.
  public static func rows(ofLesson number: Int) -> [Row] { rows.filter { $0.lessons.contains(number) } }

  /// The notes' titles.
  public static let notes: [String: String] = [
    "N1": "NSURLConnection笔记",
    "N2": "iPhone网络开发之如何使用NSURLConnection",
    "N3": "iOS NSURLSession",
    "N4": "NSURLConnection Download",
    "N5": "3.3.4 异步请求",
  ]

  private static let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })

  static func row(
    _ id: String, _ lessons: Int..., says sentence: String, _ expected: Verdict?, _ condition: String = ""
  ) -> Row {
    Row(
      id: id, note: String(id.prefix(2)), lessons: lessons, sentence: sentence, expected: expected,
      condition: condition)
  }
}
