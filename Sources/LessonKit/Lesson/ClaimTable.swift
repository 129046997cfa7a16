// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Yams

/// Every claim of the notes that the workbench settles, with the lesson that does it and what is to be expected; beside
/// them the checks: what a lesson shows beyond the notes. `Lessons/claims.yml` lists both.
public struct ClaimTable: Sendable {
  /// One claim of a note, or one check of a lesson.
  public struct Row: Sendable, Hashable, Decodable {
    /// Its name: the note and a number, such as `N1-11`; of a check, `P`, the lesson and a number, such as `P19-01`.
    public var id: String
    /// The numbers of the lessons that settle it.
    public var lessons: [Int]
    /// The statement of the note, in our words; of a check, the statement of the documentation.
    public var sentence: String
    /// The verdict that Apple's documentation leads us to expect; nil where only the measurement can say.
    public var expected: Verdict?
    /// The condition that the expected verdict depends on; nil where it depends on nothing.
    public var condition: String?
    /// The kind of evidence that settles it.
    public var evidence: Evidence
    /// The note's own words, cut to about 40 characters with `…`; nil for a check.
    public var quote: String?
    /// The line of the note's file that the quotation stands in, from 1; nil for a check.
    public var line: Int?
    /// The claim that this one repeats, which is settled with it and counts for both in a sum; nil where there is none.
    public var sameAs: String?

    private enum CodingKeys: String, CodingKey {
      case id, lessons, expected, condition, evidence, quote, line
      case sentence = "says"
      case sameAs = "same_as"
    }

    /// The note that the claim comes from, `N1` to `N5`; empty for a check.
    public var note: String { quote == nil ? "" : String(id.prefix { $0 != "-" }) }
  }

  private struct Contents: Decodable {
    var notes: [String: String]
    var claims, checks: [Row]
  }

  /// The table's file, below the folder of lessons.
  public static let file = "claims.yml"
  /// The course's table: that of `Lessons`, or of the folder that the environment names. Whoever starts a command that needs it
  /// asks it first whether it can be read.
  private static let course = Result { () throws(LessonKitError) in try ClaimTable(below: LessonText().root) }

  /// All claims, in order.
  public let rows: [Row]
  /// All checks, in the order of their lessons.
  public let checks: [Row]
  /// The notes' titles.
  public let notes: [String: String]
  private let byID: [String: Row]

  private init() { (rows, checks, notes, byID) = ([], [], [:], [:]) }

  /// Reads the table of the lessons in `folder`.
  ///
  /// - Throws: `LessonKitError` with code `environment` where the file cannot be read, `unreadable` where it is no such table.
  public init(below folder: URL) throws(LessonKitError) {
    let text = try LessonText(root: folder, environment: [:]).text(in: Self.file)
    do {
      let contents = try YAMLDecoder().decode(Contents.self, from: text)
      (rows, checks, notes) = (contents.claims, contents.checks, contents.notes)
    } catch {
      throw LessonKitError(.unreadable, "\(Self.file): \("\(error)" as String)")
    }
    byID = Dictionary((rows + checks).map { ($0.id, $0) }) { first, _ in first }
  }
}

/// The course's table.
extension ClaimTable {
  /// Looks whether the course's table can be read.
  ///
  /// - Throws: as `init(below:)`.
  public static func check() throws(LessonKitError) { _ = try course.get() }

  private static var known: ClaimTable { (try? course.get()) ?? ClaimTable() }

  /// All claims, in order.
  public static var rows: [Row] { known.rows }

  /// All checks, in the order of their lessons.
  public static var checks: [Row] { known.checks }

  /// The notes' titles.
  public static var notes: [String: String] { known.notes }

  /// The claim or check of that name.
  public static subscript(id: String) -> Row? { known.byID[id] }

  /// The claims that the lesson of that number settles.
  public static func rows(ofLesson number: Int) -> [Row] { rows.filter { $0.lessons.contains(number) } }

  /// The checks of the lesson of that number.
  public static func checks(ofLesson number: Int) -> [Row] { checks.filter { $0.lessons.contains(number) } }

  /// Selects the claims that a sum over these counts: each claim once, and a claim that repeats another as that other one.
  public static func counted(_ ids: some Sequence<String>) -> Set<String> {
    Set(ids.map { self[$0]?.sameAs ?? $0 })
  }

  /// Every sentence and condition of claims and checks, each once, in order: the keys that a translation covers.
  public static var texts: [String] {
    var seen: Set<String> = []
    return (rows + checks).flatMap { [$0.sentence, $0.condition ?? ""] }.filter {
      !$0.isEmpty && seen.insert($0).inserted
    }
  }
}
