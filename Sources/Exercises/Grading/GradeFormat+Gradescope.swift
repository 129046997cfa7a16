// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// When a student sees a test on Gradescope. The names are Gradescope's.
public enum GradescopeVisibility: String, Sendable, CaseIterable {
  /// At once.
  case visible
  /// When the assignment is due.
  case afterDueDate = "after_due_date"
  /// When its grades are published.
  case afterPublished = "after_published"
  /// Never.
  case hidden
}

extension GradeFormat {
  private struct Results: Encodable {
    struct Test: Encodable {
      var score: Int
      var max_score: Int  // the names are Gradescope's
      var name: String
      var status: String
      var output: String
      var visibility: String
    }
    var score: Int
    var output: String
    var tests: [Test]
  }

  /// A test for each check, or for the exercise where its program did not come to its checks. What is said of a program as a
  /// whole stands above them.
  static func gradescope(_ report: GradeReport, _ visibility: GradescopeVisibility, _ say: StringCatalogue) -> String {
    let remarks = report.exercises.filter { !$0.checks.isEmpty && !$0.advice.isEmpty }.map { exercise in
      exercise.advice.map { "\(exercise.id): \(say($0))" }.joined(separator: "\n")
    }
    return ExerciseJSON.encoded(
      Results(
        score: report.score, output: remarks.joined(separator: "\n"),
        tests: report.exercises.flatMap { tests($0, visibility.rawValue, say) }))
  }

  private static func tests(_ exercise: ExerciseResult, _ visibility: String, _ say: StringCatalogue) -> [Results.Test]
  {
    guard !exercise.checks.isEmpty else {
      return [
        Results.Test(
          score: exercise.score, max_score: exercise.points, name: "\(exercise.id) \(exercise.title(say.language))",
          status: exercise.outcome == .passed ? "passed" : "failed", output: words(exercise, say),
          visibility: visibility)
      ]
    }
    return exercise.checks.map { check in
      Results.Test(
        score: check.passed ? check.points : 0, max_score: check.points,
        name: "\(exercise.id) \(check.id): \(say(check.title))",
        status: check.passed ? "passed" : "failed", output: say(check.comparison),
        visibility: visibility)
    }
  }
}
