// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A row for each lesson of a run: the highest memory peak and the longest silence of main in either column, and how the
/// claims came out.
struct PageSummary {
  private let report: RunReport
  private let say: StringCatalogue
  private let templates: PageTemplates

  init(_ report: RunReport, say: StringCatalogue, templates: PageTemplates) {
    (self.report, self.say, self.templates) = (report, say, templates)
  }

  /// The table.
  var html: String {
    let columns: [Phrase] = [
      "lesson", "peak, Connection", "peak, Session", "longest gap, Connection", "longest gap, Session", "claims",
    ]
    return templates.render(
      "table",
      [
        "title": say("All lessons" as Phrase), "label": say("All lessons" as Phrase),
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
    let sides = [Side.connection, .session].map { side in lesson.examples.filter { $0.side == side } }
    let peaks = sides.map { examples in
      examples.filter { $0.memory.peak > 0 }.map(\.memory.growth).max().map { "+" + Figures.size($0) } ?? "–"
    }
    let gaps = sides.map { examples in
      examples.filter { $0.memory.peak > 0 }.map(\.mainThread.longestGap).max().map(Figures.time) ?? "–"
    }
    let verdicts = VerdictSum(lesson.claims, checks: lesson.checks).phrase
    return peaks + gaps + [lesson.claims.isEmpty ? "–" : say(verdicts)]
  }
}
