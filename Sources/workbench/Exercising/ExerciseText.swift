// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit
import Reports

/// The findings of a check, as a student reads them.
struct ExerciseText {
  let style: TextStyle
  let language: Language

  /// The result of one exercise: a line on the whole, then each check by its id in the task, with what was wanted and what was measured.
  func text(_ result: ExerciseResult) -> String {
    let mark = mark(result.outcome == .passed)
    let head: Phrase =
      "\(result.id) \(result.title(language)): \(result.outcome.words), \(result.score) of \(result.points) points"
    let why = result.why.isEmpty ? "" : style.lines(result.why, indent: 2)
    return style.lines("\(mark) \(head)", hanging: 2) + why + result.checks.map(text).joined()
      + result.advice.map { style.lines($0, indent: 2) }.joined()
  }

  private func text(_ check: CheckResult) -> String {
    let say = style.catalogue
    let name: Phrase = say(check.title) == check.id ? check.title : "\(check.id): \(check.title)"
    let rows: [Phrase] = [
      "\("wanted" as Phrase): \(check.wanted)", "\("measured" as Phrase): \(check.measured)",
    ]
    return "  \(mark(check.passed)) \(say(name))\n" + rows.map { "      \(say($0))\n" }.joined()
  }

  private func mark(_ isGood: Bool) -> String {
    style.isASCII ? (isGood ? "+" : "-") : (isGood ? "✓" : "✗")
  }
}
