// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// What Moodle shows a student beside the grade: HTML, with the outcome of each exercise and of each check.
struct GradeComment {
  private static let (begin, end) = ("<div class=\"workbench\">", "</div>")

  private let report: GradeReport
  private let say: StringCatalogue
  private let change: (String) -> String

  /// The words about a report. Each sentence goes through `change`, which takes out what is no student's business.
  init(_ report: GradeReport, _ say: StringCatalogue, _ change: @escaping (String) -> String) {
    (self.report, self.say, self.change) = (report, say, change)
  }

  /// The words in a field, in place of those of an earlier grading; what the teacher has written there stays.
  func text(in field: String) -> String {
    guard let begin = field.range(of: Self.begin),
      let end = field.range(of: Self.end, range: begin.lowerBound..<field.endIndex)
    else { return field + words }
    return field.replacingCharacters(in: begin.lowerBound..<end.upperBound, with: words)
  }

  private var words: String {
    Self.begin + report.exercises.flatMap(lines).map { Self.escaped(change($0)) }.joined(separator: "<br>") + Self.end
  }

  private func lines(_ exercise: ExerciseResult) -> [String] {
    let sum: Phrase = "\(exercise.id): \(exercise.outcome.words), \(exercise.score) of \(exercise.points) points"
    let checks = exercise.checks.map { check -> String in
      let points = "\(check.passed ? check.points : 0)/\(check.points)"
      return "\(check.passed ? "✓" : "✗") \(say(check.title)) (\(points)): \(say(check.comparison))"
    }
    let why = exercise.why.isEmpty ? [] : [say(exercise.why)]
    return [say(sum)] + why + checks + exercise.advice.map { say($0) }
  }

  /// A text as HTML, on one line. A student's file and program choose parts of it.
  private static func escaped(_ text: String) -> String {
    VisibleText.of(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\n", with: "<br>")
  }
}
