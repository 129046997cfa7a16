// SPDX-License-Identifier: Apache-2.0
public import Exercises
import Foundation
public import LessonKit
import Mustache
import Reports

/// The feedback that a student gets back for a hand-in: a page that stands alone, with what was wanted and measured for each
/// check, and drawings of the student's own runs where the result keeps them. It holds no solution and no explanation. Whatever
/// the student's program or its name holds is text there and nothing else.
public struct FeedbackPage {
  private let row: GradedHandIn
  private let course: ExerciseCourse
  private let say: StringCatalogue

  /// The page for a hand-in to an exercise of `course`, in the catalogue's language.
  public init(_ row: GradedHandIn, course: ExerciseCourse, _ say: StringCatalogue) {
    (self.row, self.course, self.say) = (row, course, say)
  }

  /// The whole page; nil where the hand-in was not graded.
  ///
  /// - Throws: a template's error, which no text causes.
  public func text() throws -> String? {
    guard let report = row.report else { return nil }
    let sum: Phrase = "\(report.score) of \(report.points) points"
    let figures = try report.exercises.map(figures)
    let values: [String: Any] = ["exercises": zip(report.exercises, figures).map(values)]
    let template = try MustacheTemplate(string: Self.template)
    return try ReadingPage(HTMLReport.Setting(catalogue: say)).text(
      title: row.printable, summary: "<p><strong>\(Markup.escaped(say(sum)))</strong></p>",
      content: template.render(values), isDrawn: figures.contains { !$0.isEmpty })
  }

  private func values(_ exercise: ExerciseResult, _ figures: String) -> [String: Any] {
    let title = course.exercises.first { $0.id == exercise.id }?.manifest.title ?? exercise.title
    let outcome: Phrase = "\(exercise.outcome.words), \(exercise.score) of \(exercise.points) points"
    let columns: [Phrase] = ["", "check", "points", "wanted", "measured"]
    let values: [String: Any] = [
      "title": "\(exercise.id): \(title(say.language))", "outcome": say(outcome),
      "why": row.withoutFolders(say(exercise.why)),
      "compiler": row.withoutFolders(exercise.compiler), "advice": exercise.advice.map { row.withoutFolders(say($0)) },
      "written": say("What the compiler wrote" as Phrase), "columns": columns.map { say($0) },
      "checks": exercise.checks.map(values), "table": exercise.checks.isEmpty ? "" : say("Checks" as Phrase),
      "figures": figures, "drawn": figures.isEmpty ? "" : say("Your program as it was measured" as Phrase),
    ]
    return values.filter { ($0.value as? String)?.isEmpty != true }
  }

  private func values(_ check: CheckResult) -> [String: Any] {
    [
      "sign": check.passed ? "✓" : "✗", "state": say(check.passed ? "passed" : "not passed yet"),
      "title": say.name(ofCheck: check.id, check.title),
      "points": "\(check.passed ? check.points : 0)/\(check.points)", "wanted": say(check.wanted),
      "measured": say(check.measured),
    ]
  }

  // MARK: - Drawings

  /// The drawings of the runs that can be read, as HTML. The grader's folders are taken out of texts and not of HTML, where
  /// they might take markup along.
  private func figures(_ exercise: ExerciseResult) throws -> String {
    let runs = exercise.runs.prefix(MeasuredRun.most).compactMap { kept -> RunFigures.Run? in
      guard let (measured, report) = kept.run(of: exercise.id) else { return nil }
      var example = measured
      example.changeTexts(row.withoutFolders)
      return RunFigures.Run(example: example, of: report, words: words(kept))
    }
    return try RunFigures(runs, of: exercise.id, say).html()
  }

  private func words(_ run: MeasuredRun) -> Phrase {
    let checks: Phrase = run.checks.isEmpty ? .empty : "This run decides: \(run.checks.joined(separator: ", "))."
    return [checks, run.isCut ? "More happened than is drawn." : .empty].joined(" ")
  }

  // MARK: - Template

  private static let template = """
    {{#exercises}}<section><h2>{{title}}</h2><p>{{outcome}}</p>{{#why}}<p class="remark">{{.}}</p>{{/why}}
    {{#advice}}<p>{{.}}</p>{{/advice}}
    {{#table}}<div class="scroll" tabindex="0" role="region" aria-label="{{table}}"><table><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#checks}}<tr><td><span aria-label="{{state}}">{{sign}}</span></td><th scope="row">{{title}}</th><td>{{points}}</td><td>{{wanted}}</td><td>{{measured}}</td></tr>
    {{/checks}}</tbody></table></div>{{/table}}
    {{#drawn}}<h3>{{.}}</h3>{{/drawn}}{{#figures}}{{{.}}}{{/figures}}
    {{#compiler}}<h3>{{written}}</h3><pre tabindex="0" role="region" aria-label="{{written}}"><code>{{compiler}}</code></pre>{{/compiler}}
    </section>{{/exercises}}

    """
}
