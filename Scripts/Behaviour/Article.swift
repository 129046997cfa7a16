// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The table as an article of the library's documentation: a count for each feature, then what is not as documented.
struct Article {
  let table: Table

  private var features: [String] {
    table.rows.map(\.feature).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The article's Markdown.
  var text: String {
    let parts = [head, counts, ours, toolchains, undeclared(title: "Not declared by the toolchain", \.toolchain)]
    return parts.flatMap { $0 + [""] }.dropLast().joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    let (ours, theirs) = (table.rows.count { $0.ours.isAsRuled }, table.rows.count { $0.toolchain.isAsRuled })
    return [
      "# Behaviour, measured", "",
      "What each member does, here and in the toolchain's own URLSession, asked by the same probes.", "",
      "@Comment {", "  Scripts/behaviour writes this file from Lessons/behaviour.json.", "}", "",
      "## Overview", "",
      "A row of the table is a rule of Apple's documentation or of an RFC, and what two implementations do about it. Of",
      "\(table.rows.count) rows this package is as documented in \(ours), FoundationNetworking of \(table.toolchain) in \(theirs); measured",
      "\(table.measured). This article has what is not as documented. `workbench behaviour` shows every row with its source and its",
      "evidence, `workbench behaviour --html F` writes them as a page, and `workbench serve` has them by feature.",
    ]
  }

  private var counts: [String] {
    let rows = features.map { feature in
      let rows = table.rows.filter { $0.feature == feature }
      return [
        feature, "\(rows.count)", "\(rows.count { $0.ours.isAsRuled })", "\(rows.count { $0.toolchain.isAsRuled })",
      ]
    }
    return ["## By feature", ""] + Self.grid(["Feature", "Rows", "Ours as documented", "The toolchain's"], rows)
  }

  private var ours: [String] {
    let rows = table.rows.filter { $0.ours.verdict == "differs" }
    let absent = undeclared(title: "Not declared here", \.ours)
    return ["## Where ours differs", ""]
      + Self.grid(["Behaviour", "Rule", "Ours"], rows.map { [$0.member, $0.rule, $0.ours.answer] }) + [""]
      + absent + ["", "<doc:DifferencesFromApple> says why."]
  }

  private var toolchains: [String] {
    let parts = features.compactMap { feature -> [String]? in
      let rows = table.rows.filter { $0.feature == feature && $0.toolchain.verdict == "differs" }
      guard !rows.isEmpty else { return nil }
      let prefix = Self.prefix(rows.map(\.rule))
      let grid = Self.grid(
        ["Behaviour", prefix.isEmpty ? "Rule" : prefix + "…", "The toolchain's"],
        rows.map { [$0.member, String($0.rule.dropFirst(prefix.count)), $0.toolchain.answer] })
      return ["### \(feature)", ""] + grid
    }
    return ["## Where the toolchain's differs"] + parts.flatMap { [""] + $0 }
  }

  private func undeclared(title: String, _ side: (Row) -> Cell) -> [String] {
    let lines = features.compactMap { feature -> String? in
      let rows = table.rows.filter { $0.feature == feature && side($0).verdict == "no" }
      guard !rows.isEmpty else { return nil }
      return "- \(Self.escaped(feature)): " + rows.map { "`\($0.member)`" }.joined(separator: ", ")
    }
    return ["## \(title)", ""] + lines
  }

  /// What all rules begin with, up to a space; empty where it is short, or where there is one rule only.
  private static func prefix(_ rules: [String]) -> String {
    guard var prefix = rules.first, rules.count > 1 else { return "" }
    for rule in rules { prefix = rule.commonPrefix(with: prefix) }
    guard let space = prefix.lastIndex(of: " "), prefix.count > 12, prefix != rules[0] else { return "" }
    return String(prefix[...space])
  }

  private static func grid(_ columns: [String], _ rows: [[String]]) -> [String] {
    let lines = [columns, columns.map { _ in "---" }] + rows.map { $0.map(escaped) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Text that Markdown leaves as it is.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\`*_|<>[]".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}

extension Cell {
  /// True if it does what the rule says.
  var isAsRuled: Bool { verdict == "yes" }
}
