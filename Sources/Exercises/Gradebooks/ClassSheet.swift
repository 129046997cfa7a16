// SPDX-License-Identifier: Apache-2.0

/// The grades of a class as a table for a spreadsheet (RFC 4180, UTF-8 with a byte order mark): a row for each hand-in, with the
/// outcome and the score of each exercise.
public struct ClassSheet: Sendable {
  private let rows: [GradedHandIn]

  /// The table of these hand-ins.
  public init(_ rows: [GradedHandIn]) { self.rows = rows }

  /// The whole table.
  public var text: String {
    var ids: [String] = []
    for id in rows.flatMap({ $0.report?.exercises.map(\.id) ?? [] }) where !ids.contains(id) { ids.append(id) }
    let head = ["submission", "score", "points"] + ids.flatMap { ["\($0) outcome", "\($0) score"] }
    return CSVWords.mark + CSVWords.row(head.map { CSVWords.field($0) }) + rows.map { row($0, ids) }.joined()
  }

  private func row(_ row: GradedHandIn, _ ids: [String]) -> String {
    guard let report = row.report else {
      return CSVWords.row([CSVWords.name(row.name), "", ""] + ids.flatMap { _ in ["notGraded", ""] })
    }
    let cells = ids.flatMap { id -> [String] in
      guard let exercise = report.exercises.first(where: { $0.id == id }) else { return ["", ""] }
      return [exercise.outcome.rawValue, "\(exercise.score)"]
    }
    return CSVWords.row([CSVWords.name(row.name), "\(report.score)", "\(report.points)"] + cells)
  }
}
