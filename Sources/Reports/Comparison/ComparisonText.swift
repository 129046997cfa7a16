// SPDX-License-Identifier: Apache-2.0

extension RunComparison {
  /// The comparison for a terminal.
  public func text(style: TextStyle) -> String {
    var lines = circumstances.flatMap { row($0, style, indent: 0) }
    if !lines.isEmpty { lines.append("") }
    var lesson = ""
    for entry in (examples + claims).sorted(by: { $0.lesson < $1.lesson }) {
      if entry.lesson != lesson {
        lesson = entry.lesson
        lines.append(style.paint(lesson, .heading))
      }
      lines.append("  " + entry.id)
      lines += entry.changes.flatMap { row($0, style, indent: 4) }
    }
    lines += only("only in the first run", onlyBefore, style) + only("only in the second run", onlyAfter, style)
    lines += TextLayout.wrap(summary, style.width).map { style.paint($0, hasOtherResults ? .bad : .good) }
    return lines.map { $0.trimmedEnd + "\n" }.joined()
  }

  /// One change: what, before, after and the ratio, in one line where they fit.
  private func row(_ change: Change, _ style: TextStyle, indent: Int) -> [String] {
    let ratio = change.ratio.map { " (× \(Self.figure($0)))" } ?? ""
    let isBad = change.what == Change.outcome || change.what == "verdict"
    let text = TextLayout.fill(change.what, 10) + " \(change.before) → \(change.after)\(ratio)"
    let lines = TextLayout.wrap(text, style.width - indent, indent: 2)
    return lines.map { String(repeating: " ", count: indent) + (isBad ? style.paint($0, .doubtful) : $0) }
  }

  private func only(_ what: String, _ names: [String], _ style: TextStyle) -> [String] {
    guard !names.isEmpty else { return [] }
    return [style.paint(what, .heading)]
      + names.flatMap { TextLayout.wrap($0, style.width - 2).map { "  " + $0 } }
  }

  private var summary: String {
    let changed = "\(examples.count) of \(Figures.count(comparedExamples, "example")) differ beyond noise"
    let verdicts = claims.isEmpty ? "no verdict changed" : "\(Figures.count(claims.count, "verdict")) changed"
    return "\(changed); of \(Figures.count(comparedClaims, "claim")) \(verdicts)."
  }

  private static func figure(_ ratio: Double) -> String {
    let hundredths = (ratio * 100).rounded()
    guard hundredths.magnitude < 1e12 else { return "∞" }
    let whole = Int(hundredths)
    let rest = whole % 100
    return "\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
