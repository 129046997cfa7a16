// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The grades of a class as a table for a spreadsheet (RFC 4180, UTF-8 with a byte order mark): a row for each hand-in, with the
/// outcome, the score and the reason of each exercise, and the points of each check. The names of columns are English, the
/// sentences in the catalogue's language. A hand-in that a person has to look at has no score, and says why.
public struct ClassSheet: Sendable {
  private let rows: [GradedHandIn]
  private let say: StringCatalogue
  /// The exercises in the order of the reports, with the checks that any of them has.
  private let exercises: [(id: String, checks: [String])]

  /// The table of these hand-ins.
  public init(_ rows: [GradedHandIn], _ say: StringCatalogue = StringCatalogue(.english)) {
    (self.rows, self.say) = (rows, say)
    var (ids, checks): ([String], [String: [String]]) = ([], [:])
    for exercise in rows.flatMap({ $0.report?.exercises ?? [] }) {
      if checks[exercise.id] == nil { ids.append(exercise.id) }
      let known = checks[exercise.id] ?? []
      checks[exercise.id] = known + exercise.checks.map(\.id).filter { !known.contains($0) }
    }
    exercises = ids.map { ($0, checks[$0] ?? []) }
  }

  /// The whole table.
  public var text: String {
    let head =
      ["submission", "score", "points", "late", "to look at", "remark"]
      + exercises.flatMap { exercise in
        ["outcome", "score", "reason"].map { "\(exercise.id) \($0)" }
          + exercise.checks.map { "\(exercise.id) check \($0)" }
      }
    return CSVWords.mark + CSVWords.row(head.map { CSVWords.field($0) }) + rows.map(row).joined()
  }

  private func row(_ row: GradedHandIn) -> String {
    let sum = row.graded.map { ["\($0.score)", "\($0.points)"] } ?? ["", row.report.map { "\($0.points)" } ?? ""]
    let words = [row.isLate ? "late" : "", sentence(row, row.question), sentence(row, row.remark)]
    let cells = exercises.flatMap { column -> [String] in
      guard let report = row.report else {
        return ["notGraded"] + [String](repeating: "", count: 2 + column.checks.count)
      }
      guard let exercise = report.exercises.first(where: { $0.id == column.id }) else {
        return [String](repeating: "", count: 3 + column.checks.count)
      }
      let points = column.checks.map { id in
        exercise.checks.first { $0.id == id }.map { $0.passed ? "\($0.points)" : "0" } ?? ""
      }
      let isDecided = exercise.outcome.isDecided
      return [exercise.outcome.rawValue, isDecided ? "\(exercise.score)" : "", sentence(row, exercise.why)] + points
    }
    return CSVWords.row([CSVWords.name(row.name)] + sum + words + cells)
  }

  /// A sentence as a field: a student chooses names in it.
  private func sentence(_ row: GradedHandIn, _ words: Phrase) -> String {
    CSVWords.name(row.withoutFolders(say(words)))
  }
}
