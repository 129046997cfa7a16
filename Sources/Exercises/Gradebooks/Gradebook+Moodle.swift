// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

extension Gradebook {
  /// Moodle's worksheet for grading offline: `Identifier` holds `Participant 123456`, and the number stands in the names of the
  /// folders with the submissions; the grade goes into `Grade`, as a share of `Maximum Grade`, and the checks into `Feedback comments`.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` where it is no such worksheet.
  public init(moodle data: Data, called name: String) throws(LessonKitError) {
    let table = try Self.table(data, called: name)
    let columns = table.columns
    guard let identifier = columns.firstIndex(of: "Identifier"), let grade = columns.firstIndex(of: "Grade"),
      let largest = columns.firstIndex(of: "Maximum Grade")
    else {
      throw LessonKitError(
        .unreadable,
        "“\(name)” is no grading worksheet of Moodle's: it lacks a column Identifier, Grade or Maximum Grade. Download the "
          + "worksheet from the assignment's submissions, with Moodle in English.")
    }
    let fullName = columns.firstIndex(of: "Full name")
    let named = ["Email address", "ID number", "Username"].compactMap(columns.firstIndex(of:))
    var students: [Student] = []
    for row in 1..<max(1, table.count) {
      let id = String(table.text(row, identifier).reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
      guard !id.isEmpty else { continue }
      guard let number = Self.number(table.text(row, largest)) else {
        throw LessonKitError(
          .unreadable,
          "“\(name)”: the maximum grade “\(table.text(row, largest))” in row \(row + 1) is no number. Grade the assignment "
            + "by points in Moodle, not by a scale.")
      }
      let names = named.map { table.text(row, $0).lowercased() }.filter { !$0.isEmpty }
      students.append(
        Student(
          row: row, id: id, names: Set(names), fullName: fullName.map { table.text(row, $0) } ?? "",
          largest: number.value, hasComma: number.hasComma, decimals: 2))
    }
    self.init(.moodle, table, students, column: grade, comments: columns.firstIndex(of: "Feedback comments"))
  }
}
