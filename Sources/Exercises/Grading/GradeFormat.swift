// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The forms in which a grade is written.
public enum GradeFormat: String, Sendable, CaseIterable {
  /// The model itself.
  case json
  /// JUnit's XML, a test case for each check.
  case junit
  /// The file that a Gradescope autograder leaves as results.json.
  case gradescope
  /// Lines for a person.
  case text
  /// The model with phrases for its sentences, as the results of a class are kept.
  case record

  /// The report in this form, ended by a line feed. `visibility` is Gradescope's, and no other form has one. What a student
  /// reads is in the catalogue's language; the model in JSON is English.
  public func text(
    of report: GradeReport, visibility: GradescopeVisibility = .visible,
    in say: StringCatalogue = StringCatalogue(.english)
  ) -> String {
    switch self {
    case .json: report.json
    case .junit: Self.junit(report, say)
    case .gradescope: Self.gradescope(report, visibility, say)
    case .text: Self.lines(report, say)
    case .record: ExerciseJSON.encoded(report, phrases: true)
    }
  }

  // MARK: - Text

  private static func lines(_ report: GradeReport, _ say: StringCatalogue) -> String {
    let total: Phrase = "total: \(report.score)/\(report.points)"
    return report.exercises.map { exercise in
      let why = exercise.why.isEmpty ? "" : "  \(say(exercise.why))\n"
      let checks = exercise.checks.map { "  \($0.passed ? "+" : "-") \($0.id): \(say($0.comparison))\n" }
      let advice = exercise.advice.map { "  \(say($0))\n" }
      let outcome = say.language == .english ? exercise.outcome.rawValue : say(exercise.outcome.words)
      return "\(exercise.id): \(outcome), \(exercise.score)/\(exercise.points)\n" + why + (checks + advice).joined()
    }.joined() + say(total) + "\n"
  }

  // MARK: - JUnit

  private static func junit(_ report: GradeReport, _ say: StringCatalogue) -> String {
    let suites = report.exercises.map { suite($0, say) }.joined()
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"workbench\">\n\(suites)</testsuites>\n"
  }

  private static func suite(_ exercise: ExerciseResult, _ say: StringCatalogue) -> String {
    let cases =
      exercise.checks.isEmpty
      ? [
        testCase(
          exercise.id, "outcome", exercise.seconds, exercise.outcome == .passed ? nil : words(exercise, say),
          isError: exercise.outcome == .notGraded)
      ]
      : exercise.checks.map { check in
        testCase(
          exercise.id, check.id, exercise.seconds / Double(exercise.checks.count),
          check.passed ? nil : say(check.comparison))
      }
    let errors = exercise.outcome == .notGraded ? 1 : 0
    let failures =
      exercise.checks.isEmpty ? (exercise.outcome == .passed ? 0 : 1 - errors) : exercise.checks.count { !$0.passed }
    return """
        <testsuite name="\(escaped(exercise.id))" tests="\(cases.count)" failures="\(failures)" errors="\(errors)" \
      time="\(String(format: "%.2f", exercise.seconds))">
      \(cases.joined())  </testsuite>

      """
  }

  private static func testCase(
    _ suite: String, _ name: String, _ seconds: Double, _ failure: String?, isError: Bool = false
  )
    -> String
  {
    let head =
      "    <testcase classname=\"\(escaped(suite))\" name=\"\(escaped(name))\" time=\"\(String(format: "%.2f", seconds))\""
    guard let failure else { return head + "/>\n" }
    return head + ">\n      <\(isError ? "error" : "failure") message=\"\(escaped(failure))\"/>\n    </testcase>\n"
  }

  static func words(_ exercise: ExerciseResult, _ say: StringCatalogue) -> String {
    ([say(exercise.outcome.words), say(exercise.why), exercise.compiler] + exercise.advice.map { say($0) }).filter {
      !$0.isEmpty
    }.joined(separator: ": ")
  }

  /// Text as an attribute's value. Characters that XML 1.0 does not know become a mark (section 2.2).
  static func escaped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map(Self.known))).reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      default: result.append(character)
      }
    }
  }

  private static func known(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: scalar
    default: "\u{FFFD}"
    }
  }
}
