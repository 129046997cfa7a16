// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Reports

/// The grades of a class as a teacher reads them on a terminal: a row for each hand-in, the sum, and what is left to a person.
struct ClassTable {
  private let rows: [GradedHandIn]
  private let style: TextStyle

  init(_ rows: [GradedHandIn], _ style: TextStyle) {
    (self.rows, self.style) = (rows, style)
  }

  /// The whole table.
  var text: String { style.columns(rows.map(cells)) + "\n" + style.lines(sum, hanging: 2) + questions + remarks }

  private func cells(_ row: GradedHandIn) -> [String] {
    let late = rows.contains(where: \.isLate) ? [row.isLate ? style.catalogue("late" as Phrase) : ""] : []
    let state = row.graded.map(Self.words) ?? (row.question.isEmpty ? "not graded" : "to look at")
    return [row.printable, row.graded.map { "\($0.score)/\($0.points)" } ?? ""] + late + [style.catalogue(state)]
  }

  /// The hand-ins that have no grade until a person has looked at them, each with the reason.
  private var questions: String {
    list(rows.filter { !$0.question.isEmpty }, "To look at, and without a grade until then:", \.question)
  }

  /// The hand-ins of which a version was chosen.
  private var remarks: String { list(rows.filter { !$0.remark.isEmpty }, "Taken of several versions:", \.remark) }

  private func list(_ rows: [GradedHandIn], _ title: Phrase, _ words: (GradedHandIn) -> Phrase) -> String {
    guard !rows.isEmpty else { return "" }
    return "\n" + style.lines(title)
      + rows.map { row in
        let words = Phrase(verbatim: row.withoutFolders(style.catalogue(words(row))))
        return style.lines("\(row.printable): \(words)", indent: 2, hanging: 2)
      }.joined()
  }

  /// How a hand-in came out: one exercise by its outcome, several by how often each came.
  private static func words(_ report: GradeReport) -> Phrase {
    guard report.exercises.count == 1 else { return counts(report.exercises.map(\.outcome)) }
    let exercise = report.exercises[0]
    return exercise.outcome == .missing && !exercise.why.isEmpty
      ? "\(exercise.outcome.words): \(exercise.why)" : exercise.outcome.words
  }

  private static func counts(_ outcomes: [ExerciseOutcome]) -> Phrase {
    ExerciseOutcome.allCases.map { outcome -> Phrase in
      let count = outcomes.count { $0 == outcome }
      return count == 0 ? .empty : "\(count) \(outcome.words)"
    }.joined()
  }

  private var sum: Phrase {
    let reports = rows.compactMap(\.graded)
    let open = rows.count { !$0.question.isEmpty }
    let missing = rows.count - reports.count - open
    let outcomes = [
      Self.counts(reports.flatMap { $0.exercises.map(\.outcome) }),
      open == 0 ? .empty : "\(open) \("to look at" as Phrase)",
      missing == 0 ? .empty : "\(missing) \("not graded" as Phrase)",
    ].joined()
    let hands = Phrase.count(rows.count, "hand-in")
    guard !reports.isEmpty else { return "\(hands): \(outcomes)" }
    let mean = Double(reports.reduce(0) { $0 + $1.score }) / Double(reports.count)
    let points = reports.map(\.points).max() ?? 0
    return "\(hands): \(outcomes); \(String(format: "%.1f", mean)) of \(points) points on average"
  }
}
