// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

extension Gradebook {
  /// Canvas's export of the gradebook: the id in `ID` stands in the names of the submissions' files; each assignment has a
  /// column `Name (12345)`, and the row `Points Possible` says what it is worth.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` where it is no such export, or leaves open which assignment is meant.
  public init(canvas data: Data, called name: String, assignment: String?) throws(LessonKitError) {
    let table = try Self.table(data, called: name)
    let columns = table.columns
    let possible = (1..<max(1, table.count)).first {
      table.text($0, 0).trimmingCharacters(in: .whitespaces) == "Points Possible"
    }
    guard columns.first == "Student", let ids = columns.firstIndex(of: "ID"), let possible else {
      throw LessonKitError(
        .unreadable,
        "“\(name)” is no gradebook of Canvas's: it lacks a column Student or ID, or the row Points Possible. Export the "
          + "gradebook, with Canvas in English.")
    }
    let column = try Self.column(of: assignment, in: columns, called: name)
    guard let largest = Self.number(table.text(possible, column)) else {
      throw LessonKitError(
        .unreadable,
        "“\(name)” says of “\(columns[column])” no points possible, but “\(table.text(possible, column))”. Give the "
          + "assignment points in Canvas, and export again.")
    }
    let named = ["SIS User ID", "SIS Login ID"].compactMap(columns.firstIndex(of:))
    let students = (possible + 1..<max(possible + 1, table.count)).compactMap { row -> Student? in
      let id = table.text(row, ids).trimmingCharacters(in: .whitespaces)
      let names = named.map { table.text(row, $0).lowercased() }.filter { !$0.isEmpty }
      return id.isEmpty
        ? nil
        : Student(
          row: row, id: id, names: Set(names), fullName: table.text(row, 0), largest: largest.value)
    }
    self.init(.canvas, table, students, column: column)
  }

  /// The column of the assignment that is called so: by its name, its number, or both. Without a name it has to be the only one.
  private static func column(
    of assignment: String?, in columns: [String], called name: String
  ) throws(LessonKitError) -> Int {
    var all: [(column: Int, names: [String])] = []
    for (column, head) in columns.enumerated() {
      guard let match = head.wholeMatch(of: #/(.*) \(([0-9]+)\)/#) else { continue }
      all.append((column, [head, String(match.1), String(match.2)]))
    }
    let meant = assignment.map { wanted in all.filter { $0.names.contains(wanted) } } ?? all
    if meant.count == 1 { return meant[0].column }
    let heads = all.prefix(8).map { "“\($0.names[0])”" }.joined(separator: ", ") + (all.count > 8 ? ", …" : "")
    guard let assignment else {
      throw LessonKitError(
        .unreadable, "“\(name)” has \(all.count) assignments: \(heads). Name the one to fill with --assignment.")
    }
    throw LessonKitError(
      .unreadable,
      "\(meant.count) assignments in “\(name)” are called “\(assignment)”. There are: \(heads). Give the number in "
        + "parentheses.")
  }
}
