// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The end of a run of several lessons: what each is about with its figures, how many lessons and examples, the claims by
/// their verdicts, and the unexpected verdicts.
public struct RunSummary {
  private let report: RunReport
  private let surprises: [Phrase]

  /// A summary of `report`; `surprises` are the examples that did not end as they should.
  public init(_ report: RunReport, surprises: [Phrase]) {
    self.report = report
    self.surprises = surprises
  }

  /// The summary for a terminal.
  public func text(style: TextStyle) -> String {
    let examples = report.lessons.reduce(0) { $0 + Set($1.examples.map(\.id)).count }
    let sum = VerdictSum(report.lessons.flatMap(\.claims), checks: report.lessons.flatMap(\.checks))
    var lines = [style.paint(style.say("Summary"), .heading)] + subjects(style)
    // Of lessons that settle no claim there is nothing to say but what ran.
    let ran: Phrase =
      sum.count == 0
      ? "\(Phrase.count(report.lessons.count, "lesson")), \(Phrase.count(examples, "example"))."
      : "\(Phrase.count(report.lessons.count, "lesson")), \(Phrase.count(examples, "example")), \(sum.count) of \(ClaimTable.counted(ClaimTable.rows.map(\.id)).count) claims settled: \(sum.phrase)."
    lines += TextLayout.wrap(style.say(ran), style.width, indent: 2)
    if report.partial {
      lines.append(style.paint(style.say("Interrupted: the run did not come to its end."), .doubtful))
    }
    lines += unexpected.flatMap { TextLayout.wrap(style.say($0), style.width, indent: 2) }
      .map { style.paint($0, .bad) }
    return style.finished(lines)
  }

  /// A line for each lesson that names its subject.
  private func subjects(_ style: TextStyle) -> [String] {
    let lines = report.lessons.flatMap { lesson -> [String] in
      guard let subject = SubjectWords(lesson) else { return [] }
      let text = "\(lesson.id)  " + style.say(subject.phrase)
      return TextLayout.wrap(text, style.width, indent: lesson.id.count + 2)
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var unexpected: [Phrase] {
    let claims = report.lessons.flatMap { lesson in
      (lesson.claims + lesson.checks).filter { !$0.isAsExpected }.map { claim -> Phrase in
        let figures = claim.findings.filter { !$0.holds }.map { [$0.what, $0.measured].joined(": ") }.joined("; ")
        return
          "\(lesson.id) \(claim.id) came out \(VerdictWords.of(claim.verdict)), expected \(VerdictWords.of(claim.expected)): \(figures)"
      }
    }
    return claims + surprises
  }
}
