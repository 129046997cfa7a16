// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// Two runs compared as one self-contained page: what changed in tables, and each example that changed drawn twice over
/// one time axis.
public struct ComparisonPage {
  private let before: RunReport
  private let after: RunReport
  private let comparison: RunComparison
  private let setting: HTMLReport.Setting
  private var say: StringCatalogue { setting.catalogue }

  /// A page of what the second run has otherwise than the first one.
  public init(_ before: RunReport, _ after: RunReport, _ setting: HTMLReport.Setting) {
    (self.before, self.after, self.setting) = (before, after, setting)
    comparison = RunComparison(before, after)
  }

  /// The whole page.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let templates = try PageTemplates()
    let figures = try figures()
    let known = Dictionary(figures.map { ($0.name, $0.anchor) }) { first, _ in first }
    let tables = [
      table("Ends, products, places and verdicts that changed", comparison.kinds, known),
      table("Amounts that differ beyond noise", comparison.amounts, known),
    ].compactMap { $0 }.map { templates.render("table", $0) }
    let drawings = figures.map { templates.render("figure", $0.values) }
    let heading = drawings.isEmpty ? "" : "<h2>\(Markup.escaped(say("The examples that changed" as Phrase)))</h2>"
    // In red only where a result is another one; other amounts and places are what a reader came to see.
    let isRemark = comparison.hasOtherResults
    let sums = isRemark ? "" : "<p>\(Markup.escaped(say(comparison.summary)))</p>\n"
    return try PageShell(setting, templates).page(
      title: say("Two runs compared" as Phrase),
      circumstances: [before.circumstances, after.circumstances],
      remarks: comparison.remarks + (isRemark ? [comparison.summary] : []), summary: sums + tables.joined(),
      content: heading + drawings.joined())
  }

  // MARK: - Tables

  private func table(
    _ title: Phrase, _ entries: [RunComparison.Entry], _ known: [String: String]
  ) -> [String: Any]? {
    guard !entries.isEmpty else { return nil }
    let columns: [Phrase] = ["example", "what", "before", "after", "ratio"]
    let rows = entries.flatMap { entry in
      entry.changes.map { change in
        [
          "name": "\(entry.lesson) \(entry.id)", "anchor": known["\(entry.lesson) \(entry.id)"] ?? "",
          "style": entry.id.split(separator: "/").first.map(String.init) ?? "",
          "cells": [
            say(change.what), say(change.before), say(change.after), change.ratio.map(RunComparison.figure) ?? "",
          ],
        ].compact
      }
    }
    return ["title": say(title), "label": say(title), "columns": columns.map { say($0) }, "rows": rows]
  }

  // MARK: - Drawings

  private struct Figure {
    var name: String
    var anchor: String
    var values: [String: Any]
  }

  /// The first run of each example that changed, before and after.
  private func figures() throws -> [Figure] {
    let changed = Set((comparison.kinds + comparison.amounts).map { "\($0.lesson) \($0.id)" })
    var figures: [Figure] = []
    for lesson in after.lessons {
      guard let other = before.lessons.first(where: { $0.id == lesson.id }) else { continue }
      let scale = MemoryDrawing.Scale(
        lesson.examples + other.examples, bodyBytes: max(before.bodyBytes, after.bodyBytes))
      var known: Set<String> = []
      for example in lesson.examples where changed.contains("\(lesson.id) \(example.id)") {
        guard known.insert(example.id).inserted, let first = other.examples.first(where: { $0.id == example.id })
        else { continue }
        let figure = ExampleFigure([first, example], in: lesson.id, number: 0, scale: scale, say: say, level: 3)
        let labels = [say("before" as Phrase), say("after" as Phrase)]
        figures.append(
          Figure(
            name: "\(lesson.id) \(example.id)", anchor: Markup.identifier(lesson.id, example.id, "0", "0"),
            values: try figure.values([first, example], labels: labels).compact))
      }
    }
    return figures
  }
}
