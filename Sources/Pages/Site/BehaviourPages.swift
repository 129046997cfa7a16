// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports

/// The table of behaviour: its features, and the rows of the one that is chosen.
struct BehaviourPages {
  private let site: SitePages
  private let reader: Reader
  private var say: StringCatalogue { reader.say }

  init(_ site: SitePages, _ reader: Reader) {
    (self.site, self.reader) = (site, reader)
  }

  /// The features where none is chosen, all rows where the choice is empty, else the rows of that feature.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` without a table, `unknownName` for a feature that there is none of.
  func table(_ feature: String?) throws -> WebAnswer {
    let table = try site.settings.behaviour()
    var values: [String: Any] = [
      "choose": say("Feature:" as Phrase), "show": say("Show the rows" as Phrase),
      "features": choices(table, feature),
    ]
    let setting = reader.setting()
    let shown: BehaviourTable
    switch feature {
    case nil:
      shown = table
      values["overview"] = overview(table)
    case "":
      shown = table
      values["tables"] = try BehaviourPage(table, setting).tables()
    case let name?:
      guard let rows = table.only(name) else { throw LessonKitError(.unknownName, "There is no feature “\(name)”.") }
      shown = rows
      values["tables"] = try BehaviourPage(rows, setting).tables()
    }
    values["sum"] = say(shown.sum)
    return try reader.page(
      title: BehaviourPage(table, setting).title, content: reader.render("behaviour", values))
  }

  private func choices(_ table: BehaviourTable, _ chosen: String?) -> [[String: Any]] {
    let all: [String: Any] = ["value": "", "name": say("all features" as Phrase)]
    return [all]
      + table.features.map { feature in
        var choice: [String: Any] = ["value": feature, "name": feature]
        if feature.lowercased() == chosen?.lowercased() { choice["chosen"] = true }
        return choice
      }
  }

  private func overview(_ table: BehaviourTable) -> [String: Any] {
    let columns: [Phrase] = ["feature", "rows", "ours as documented", "the toolchain’s as documented"]
    return [
      "label": say("Features" as Phrase), "columns": columns.map { say($0) },
      "rows": table.sums.map { sum in
        [
          "name": sum.feature,
          "address": sum.feature.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
          "rows": "\(sum.rows)", "ours": "\(sum.ours)", "toolchain": "\(sum.toolchain)",
        ]
      },
    ]
  }
}
