// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The table of behaviour as a page that stands alone: a table for each feature, with rule, source and evidence.
public struct BehaviourPage {
  private let table: BehaviourTable
  private let setting: HTMLReport.Setting
  private var say: StringCatalogue { setting.catalogue }

  /// The table with this setting.
  public init(_ table: BehaviourTable, _ setting: HTMLReport.Setting) {
    (self.table, self.setting) = (table, setting)
  }

  /// The page.
  ///
  /// - Throws: a template's error, which no text causes.
  public func text() throws -> String {
    try ReadingPage(setting).text(title: title, remarks: [table.sum], content: tables())
  }

  /// The page's title in the setting's language.
  public var title: String { say("What the APIs do" as Phrase) }

  /// The tables alone, as HTML for another page.
  ///
  /// - Throws: a template's error, which no text causes.
  public func tables() throws -> String {
    let templates = try PageTemplates()
    let columns: [Phrase] = ["member", "ours", "the toolchain’s", "Apple’s rule", "shown by"]
    let content = table.features.map { feature in
      templates.render(
        "table",
        [
          "title": feature, "label": feature, "columns": columns.map { say($0) },
          "rows": table.rows.filter { $0.feature == feature }.map(values),
        ])
    }
    return content.joined()
  }

  private func values(_ row: BehaviourTable.Row) -> [String: Any] {
    let evidence =
      row.ours.evidence == row.toolchain.evidence
      ? row.ours.evidence : [row.ours.evidence, row.toolchain.evidence].filter { !$0.isEmpty }.joined(separator: "; ")
    return [
      "name": row.member, "style": row.toolchain.verdict == .yes ? "" : "differs",
      "cells": [say(row.ours.words), say(row.toolchain.words), "\(row.rule) (\(row.source))", evidence],
    ]
  }
}
