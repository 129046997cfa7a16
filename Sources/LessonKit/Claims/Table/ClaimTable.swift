// SPDX-License-Identifier: Apache-2.0

/// Every claim of the notes that the workbench settles, with the lesson that does it and what is to be expected; beside
/// them the checks: what a lesson shows beyond the notes.
public enum ClaimTable {
  /// One claim of a note, or one check of a lesson.
  public struct Row: Codable, Sendable, Hashable {
    /// Its name: the note and a number, such as `N1-11`; of a check, `P`, the lesson and a number, such as `P19-01`.
    public var id: String
    /// The note it comes from, `N1` to `N5`; empty for a check.
    public var note: String
    /// The numbers of the lessons that settle it.
    public var lessons: [Int]
    /// What the note says, in our words; of a check, what the documentation says.
    public var sentence: String
    /// What Apple's documentation leads us to expect; nil where only the measurement can say.
    public var expected: Verdict?
    /// What the expected verdict depends on; never empty where that is `qualified`.
    public var condition: String
    /// What kind of evidence settles it.
    public var evidence: Evidence
    /// The note's own words, cut to about 40 characters with `…`; empty for a check.
    public var quote: String
    /// The line of the note's file that the quotation stands in, from 1; nil for a check.
    public var line: Int?
    /// The claim that this one repeats, which is settled with it and counts for both in a sum; nil where there is none.
    public var sameAs: String?
  }

  /// All claims, in order.
  public static let rows: [Row] = note1 + note2 + note3 + note4 + note5

  /// All checks, in the order of their lessons.
  public static let checks: [Row] = checkRows

  /// The claim or check of that name.
  public static subscript(id: String) -> Row? { byID[id] }

  /// The claims that the lesson of that number settles.
  public static func rows(ofLesson number: Int) -> [Row] { rows.filter { $0.lessons.contains(number) } }

  /// The checks of the lesson of that number.
  public static func checks(ofLesson number: Int) -> [Row] { checks.filter { $0.lessons.contains(number) } }

  /// What a sum over these claims counts: each claim once, and a claim that repeats another as that other one.
  public static func counted(_ ids: some Sequence<String>) -> Set<String> { Set(ids.map { byID[$0]?.sameAs ?? $0 }) }

  /// Every sentence and condition of claims and checks, each once, in order: the keys that a translation covers.
  public static let texts: [String] = {
    var seen: Set<String> = []
    return (rows + checks).flatMap { [$0.sentence, $0.condition] }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }()

  /// The notes' titles.
  public static let notes: [String: String] = [
    "N1": "NSURLConnection笔记",
    "N2": "iPhone网络开发之如何使用NSURLConnection",
    "N3": "iOS NSURLSession",
    "N4": "NSURLConnection Download",
    "N5": "3.3.4 异步请求",
  ]

  private static let byID = Dictionary(uniqueKeysWithValues: (rows + checks).map { ($0.id, $0) })

  static func row(
    _ id: String, _ lessons: Int..., says sentence: String, _ expected: Verdict?, _ evidence: Evidence,
    _ condition: String = "", sameAs: String? = nil, quote: String, line: Int
  ) -> Row {
    Row(
      id: id, note: String(id.prefix(2)), lessons: lessons, sentence: sentence, expected: expected,
      condition: condition, evidence: evidence, quote: quote, line: line, sameAs: sameAs)
  }

  static func check(_ id: String, _ lesson: Int, says sentence: String, _ expected: Verdict, _ evidence: Evidence)
    -> Row
  {
    Row(
      id: id, note: "", lessons: [lesson], sentence: sentence, expected: expected, condition: "", evidence: evidence,
      quote: "")
  }
}
