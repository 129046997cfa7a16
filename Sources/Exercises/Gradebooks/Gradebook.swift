// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

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
    /// Hand-ins that are one student's, of whom the best counts.
    public var doubled: [String] = []
  }

  /// A student's row.
  struct Student: Sendable {
    var row: Int
    /// The platform's name for the student in the names of files.
    var id: String
    /// The other names that tell the student apart, in small letters: an address, a login.
    var names: Set<String>
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

  init(_ table: CSVTable, _ students: [Student], column: Int) {
    (self.table, self.students, self.column) = (table, students, column)
  }

  /// The ids of its students.
  public var ids: Set<String> { Set(students.map(\.id)) }

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

  /// Puts the grades in. A hand-in without a program counts as 0, a student without a hand-in keeps what stands there.
  public mutating func fill(_ handIns: [GradedHandIn]) -> Filling {
    var filling = Filling()
    var found: [Int: [GradedHandIn]] = [:]
    for handIn in handIns {
      if let place = students.firstIndex(where: { Self.isOf($0, handIn) }) {
        found[place, default: []].append(handIn)
      } else {
        filling.unknown.append(handIn.name)
      }
    }
    for (place, student) in students.enumerated() {
      let own = found[place] ?? []
      if own.count > 1 { filling.doubled += own.map(\.name) }
      filling.ungraded += own.filter { $0.report == nil }.map(\.name)
      if own.isEmpty { filling.without += 1 }
      guard let best = own.compactMap({ $0.report.map(Self.share) }).max() else { continue }
      table.set(student.row, column, to: Self.grade(best, student))
      filling.filled += 1
    }
    return filling
  }

  private static func isOf(_ student: Student, _ handIn: GradedHandIn) -> Bool {
    if let id = handIn.student { return id == student.id }
    var name = handIn.name
    for ending in [".swift", ".zip"] where name.lowercased().hasSuffix(ending) { name.removeLast(ending.count) }
    return name == student.id || student.names.contains(name.lowercased())
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
