// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// A table of a learning platform, into whose column of grades those of a class go. Students are found by what tells them apart,
/// an id or an address, never by their names. Every other byte stays as it was.
public struct Gradebook: Sendable {
  /// The result of filling it.
  public struct Filling: Sendable, Hashable {
    /// How many students have a grade now.
    public var filled = 0
    /// How many of its students have no hand-in.
    public var without = 0
    /// Hand-ins of no student in it.
    public var unknown: [String] = []
    /// Hand-ins that were not graded.
    public var ungraded: [String] = []
    /// Hand-ins that a person has to look at.
    public var open: [String] = []
  }

  /// A student's row.
  struct Student: Sendable {
    var row: Int
    /// The platform's name for the student in the names of files.
    var id: String
    /// The other names that tell the student apart, in small letters: an address, a login.
    var names: Set<String>
    /// The student's name; empty where the table has none.
    var fullName = ""
    /// The grade of a hand-in with all points.
    var largest: Double
    /// The decimal sign of that number.
    var hasComma = false
    /// How many decimals a grade always has.
    var decimals = 0
  }

  private var table: CSVTable
  private let students: [Student]
  private let column: Int
  /// The column for words to the student, nil where there is none.
  private let comments: Int?
  /// The platform whose table it is.
  public let platform: LearningPlatform

  init(
    _ platform: LearningPlatform, _ table: CSVTable, _ students: [Student], column: Int, comments: Int? = nil
  ) {
    (self.platform, self.table, self.students, self.column) = (platform, table, students, column)
    self.comments = comments
  }

  /// The names of its students, by id, as Canvas writes them into the names of files.
  public var names: [String: String] {
    Dictionary(students.map { ($0.id, CanvasFileName.who($0.fullName)) }) { first, _ in first }
  }

  /// The whole table.
  public var text: String { table.text }

  /// Reads a table of the platform; `name` is what errors call it.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`.
  static func table(_ data: Data, called name: String) throws(LessonKitError) -> CSVTable {
    do throws(CSVTable.Fault) {
      return try CSVTable(data)
    } catch {
      switch error {
      case .encoding(let line):
        throw LessonKitError(
          .unreadable, "\(name):\(line): these bytes are no UTF-8. Save the file as “CSV UTF-8”, or download it again.")
      case .quote(let line):
        throw LessonKitError(
          .unreadable, "\(name):\(line): a field has no closing quote. Download the file again.")
      }
    }
  }

  // MARK: - Students and hand-ins

  /// Puts in doubt what this table does not settle: a hand-in that may be of two of its students, one whose number is
  /// another student's than its name, and several with different points of one student.
  public func doubt(_ rows: inout [GradedHandIn]) {
    var own: [Int: [Int]] = [:]
    for index in rows.indices {
      let found = places(of: rows[index])
      if !rows[index].doubt.isEmpty {
        for place in found { own[place, default: []].append(index) }
      } else if found.count > 1 {
        rows[index].doubt = "it may be of \(found.count) students in \(platform.rawValue)'s file"
      } else if let place = found.first, let name = otherName(students[place], rows[index]) {
        rows[index].doubt =
          "\(students[place].id) is the number of “\(FileNames.printable(name))” in \(platform.rawValue)'s file"
      } else if let place = found.first {
        own[place, default: []].append(index)
      }
    }
    for indices in own.values where indices.count > 1 {
      let shares = Set(indices.map { rows[$0].graded.map(Self.share) })
      guard shares.count > 1 else { continue }
      for index in indices where rows[index].doubt.isEmpty {
        let others = indices.filter { $0 != index }.map { rows[$0].name }
        rows[index].doubt = "the student has another hand-in: \(FileNames.list(others))"
      }
    }
  }

  /// The students that a hand-in may be of.
  private func places(of handIn: GradedHandIn) -> [Int] { students.indices.filter { Self.isOf(students[$0], handIn) } }

  private static func isOf(_ student: Student, _ handIn: GradedHandIn) -> Bool {
    if let id = handIn.student { return id == student.id }
    var name = handIn.name
    for ending in [".swift", ".zip"] where name.lowercased().hasSuffix(ending) { name.removeLast(ending.count) }
    return name == student.id || student.names.contains(name.lowercased())
  }

  /// The student's name where Moodle names the hand-in after somebody else; nil where both may be one. Moodle names the
  /// hand-in of a group by the group's number, which may be a student's as well.
  private func otherName(_ student: Student, _ handIn: GradedHandIn) -> String? {
    guard platform == .moodle, handIn.student != nil else { return nil }
    let name = String(handIn.name.dropLast(student.id.count + 1))
    // Bytes that are no text may be any letter.
    guard !name.contains(#/%[0-9A-F][0-9A-F]/#) else { return nil }
    let (words, others) = (Self.words(student.fullName), Self.words(name))
    return words.isSubset(of: others) || others.isSubset(of: words) ? nil : student.fullName
  }

  /// The words of a name, without the signs that Moodle leaves out of names of files.
  private static func words(_ name: String) -> Set<String> {
    let plain = name.filter { !"&<>\"`|':\\/".contains($0) }.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return Set(plain.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  // MARK: - Grades

  /// Puts the grades in. A hand-in that holds nothing counts as 0; a student without a hand-in, or with one that a person has to
  /// look at, keeps what stands there.
  public mutating func fill(_ rows: [GradedHandIn], _ say: StringCatalogue = StringCatalogue(.english)) -> Filling {
    var rows = rows
    doubt(&rows)
    var filling = Filling()
    var found: [Int: [GradedHandIn]] = [:]
    for row in rows {
      let places = places(of: row)
      if places.isEmpty, row.doubt.isEmpty { filling.unknown.append(row.name) }
      if !row.question.isEmpty {
        filling.open.append(row.name)
      } else if row.graded == nil {
        filling.ungraded.append(row.name)
      }
      for place in places { found[place, default: []].append(row) }
    }
    for (place, student) in students.enumerated() {
      guard let own = found[place] else {
        filling.without += 1
        continue
      }
      guard let row = own.first(where: { $0.graded != nil }), let report = row.graded else { continue }
      table.set(student.row, column, to: Self.grade(Self.share(report), student))
      if let comments {
        let comment = GradeComment(report, say, row.withoutFolders)
        table.set(student.row, comments, to: comment.text(in: table.text(student.row, comments)))
      }
      filling.filled += 1
    }
    return filling
  }

  private static func share(_ report: GradeReport) -> Double {
    report.points == 0 ? 0 : Double(report.score) / Double(report.points)
  }

  private static func grade(_ share: Double, _ student: Student) -> String {
    var text = String(format: "%.2f", share * student.largest)
    if student.decimals == 0 {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return student.hasComma ? text.replacing(".", with: ",") : text
  }

  /// A number with a point or a comma, nil for anything else.
  static func number(_ text: String) -> (value: Double, hasComma: Bool)? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let hasComma = text.contains(",") && !text.contains(".")
    guard let value = Double(hasComma ? text.replacing(",", with: ".") : text), value.isFinite, value >= 0 else {
      return nil
    }
    return (value, hasComma)
  }
}
