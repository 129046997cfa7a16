// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Reports

/// The grades of a class as a teacher reads them on a terminal: a row for each hand-in, and the sum.
struct ClassTable {
  private let rows: [GradedHandIn]
  private let style: TextStyle

  init(_ rows: [GradedHandIn], _ style: TextStyle) {
    (self.rows, self.style) = (rows, style)
  }

  /// The whole table.
  var text: String { style.columns(rows.map(cells)) + "\n" + style.lines(sum, hanging: 2) }

  private func cells(_ row: GradedHandIn) -> [String] {
    guard let report = row.report else { return [row.printable, "", style.catalogue("not graded" as Phrase)] }
    return [row.printable, "\(report.score)/\(report.points)", style.catalogue(Self.words(report))]
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
    let reports = rows.compactMap(\.report)
    let missing: Phrase =
      reports.count == rows.count ? .empty : "\(rows.count - reports.count) \("not graded" as Phrase)"
    let outcomes = Self.counts(reports.flatMap { $0.exercises.map(\.outcome) })
    let mean = reports.isEmpty ? 0 : Double(reports.reduce(0) { $0 + $1.score }) / Double(reports.count)
    let points = reports.map(\.points).max() ?? 0
    return
      "\(Phrase.count(rows.count, "hand-in")): \([outcomes, missing].joined()); \(String(format: "%.1f", mean)) of \(points) points on average"
  }
}
