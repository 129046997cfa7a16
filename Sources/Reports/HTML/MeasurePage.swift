// SPDX-License-Identifier: Apache-2.0
import LessonKit
public import Measuring
import Pitfalls

/// The behaviour of a measured command, as one self-contained page: of each process a drawing over time, its loads, what it
/// left over and its pitfalls.
public struct MeasurePage {
  private let result: CommandResult
  private let setting: HTMLReport.Setting
  private var say: StringCatalogue { setting.catalogue }

  /// A page of `result`.
  public init(_ result: CommandResult, _ setting: HTMLReport.Setting) {
    (self.result, self.setting) = (result, setting)
  }

  /// The whole page.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let templates = try PageTemplates()
    let scale = MemoryDrawing.Scale(result.processes.map(\.example), bodyBytes: 0)
    return try PageShell(setting, templates).page(
      title: result.command.joined(separator: " "), circumstances: [MeasureWords.sum(result)],
      remarks: MeasureWords.remarks(result), summary: "",
      content: try result.processes.map { try section($0, scale, templates) }.joined())
  }

  private func section(
    _ process: ProcessResult, _ scale: MemoryDrawing.Scale, _ templates: PageTemplates
  ) throws -> String {
    let figure = ExampleFigure(
      [process.example], in: "process", number: 0, scale: scale, say: say, level: 3, areForeign: true)
    let sentences = ([MeasureWords.costs(process)] + MeasureWords.leftovers(process))
      .map { "<p>\(Markup.escaped(say($0)))</p>\n" }
    let tables = [pitfalls(process), loads(process)].compactMap { $0 }.map { templates.render("table", $0) }
    return "<h2>\(Markup.escaped(process.command))</h2>\n" + sentences.joined() + tables.joined()
      + templates.render("figure", try figure.values([process.example]))
  }

  private func pitfalls(_ process: ProcessResult) -> [String: Any]? {
    guard !process.pitfalls.isEmpty else { return nil }
    let columns: [Phrase] = ["pitfall", "where", "harm", "cure", "lesson"]
    return table(
      "Pitfalls", columns,
      process.pitfalls.map { seen in
        [
          "name": say(seen.words), "style": seen.grade == .wrong ? "spoilt" : "",
          "cells": [
            say(seen.place(of: process.name(ofLoad: seen.load))), say(seen.harm), say(seen.cure),
            "\(seen.pitfall.entry.lesson)",
          ],
        ]
      })
  }

  private func loads(_ process: ProcessResult) -> [String: Any]? {
    let groups = LoadGroup.of(process.loads).prefix(LoadGroup.most)
    guard !groups.isEmpty else { return nil }
    let columns: [Phrase] = ["load"] + MeasureWords.heads.dropLast()
    return table(
      "Loads", columns,
      groups.map { group in
        let cells = MeasureWords.cells(group, say)
        return ["name": cells[cells.count - 1], "style": "", "cells": Array(cells.dropLast())]
      })
  }

  private func table(_ title: Phrase, _ columns: [Phrase], _ rows: [[String: Any]]) -> [String: Any] {
    ["title": say(title), "label": say(title), "wraps": true, "columns": columns.map { say($0) }, "rows": rows]
  }
}
