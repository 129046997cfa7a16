// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A row for each lesson of a run: what it is about, the figures of the two examples that show it, and how the claims came
/// out.
struct PageSummary {
  private let report: RunReport
  private let say: StringCatalogue
  private let templates: PageTemplates

  init(_ report: RunReport, say: StringCatalogue, templates: PageTemplates) {
    (self.report, self.say, self.templates) = (report, say, templates)
  }

  /// The table.
  var html: String {
    let columns: [Phrase] = ["lesson", "what it is about", "one program", "another program", "claims"]
    return templates.render(
      "table",
      [
        "title": say("All lessons" as Phrase), "label": say("All lessons" as Phrase), "wraps": true,
        "columns": columns.map { say($0) },
        "rows": report.lessons.map { lesson in
          [
            "name": "\(lesson.id)  \(say(lesson.title))", "anchor": lesson.id, "style": style(lesson),
            "cells": cells(lesson),
          ] as [String: Any]
        },
      ])
  }

  private func style(_ lesson: LessonResult) -> String {
    (lesson.claims + lesson.checks).allSatisfy(\.isAsExpected) ? "" : "unexpected"
  }

  private func cells(_ lesson: LessonResult) -> [String] {
    let subject = SubjectWords(lesson)
    let parts = subject?.parts.map { say($0.words) } ?? []
    let verdicts = VerdictSum(lesson.claims, checks: lesson.checks).phrase
    return [say(subject?.title ?? "–")] + (parts + ["–", "–"]).prefix(2)
      + [lesson.claims.isEmpty ? "–" : say(verdicts)]
  }
}
