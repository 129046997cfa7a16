// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension RunComparison {
  /// The comparison for a terminal.
  public func text(style: TextStyle) -> String {
    var lines = circumstances.flatMap { row($0, style, indent: 0) }
    lines += remarks.flatMap { TextLayout.wrap(style.say($0), style.width) }
    if !lines.isEmpty { lines.append("") }
    lines += section("Ends, products, places and verdicts that changed", kinds, style)
    lines += section("Amounts that differ beyond noise", amounts, style)
    lines += TextLayout.wrap(style.say(summary), style.width).map { style.paint($0, hasOtherResults ? .bad : .good) }
    return style.finished(lines)
  }

  private func section(_ title: Phrase, _ entries: [Entry], _ style: TextStyle) -> [String] {
    guard !entries.isEmpty else { return [] }
    var lines = [style.paint(style.say(title), .heading)]
    var lesson = ""
    for entry in entries {
      if entry.lesson != lesson {
        lesson = entry.lesson
        lines.append("  " + style.paint(lesson, .heading))
      }
      lines.append("    " + entry.id)
      lines += entry.changes.flatMap { row($0, style, indent: 6) }
    }
    return lines + [""]
  }

  /// One change: what, before, after and the ratio, in one line where they fit.
  private func row(_ change: Change, _ style: TextStyle, indent: Int) -> [String] {
    let ratio = change.ratio.map { " (× \(Self.figure($0)))" } ?? ""
    let what = TextLayout.fill(style.catalogue(change.what), 10)
    let text = "\(what) \(style.say(change.before)) → \(style.say(change.after))\(ratio)"
    let lines = TextLayout.wrap(text, style.width - indent, indent: 2)
    return lines.map { String(repeating: " ", count: indent) + (change.isResult ? style.paint($0, .doubtful) : $0) }
  }

  /// How much was compared and how much differs.
  var summary: Phrase {
    let compared: Phrase =
      "Compared: \(Phrase.count(comparedExamples, "example")), \(Phrase.count(comparedClaims, "claim"))."
    guard !kinds.isEmpty || !amounts.isEmpty else { return "\(compared) No difference beyond noise." }
    let changed = kinds.count { $0.changes.contains(where: \.isResult) }
    let placed = kinds.count - changed
    return
      "\(compared) Other results: \(changed); other places: \(placed); other amounts: \(amounts.count)."
  }

  /// A ratio with two decimals.
  static func figure(_ ratio: Double) -> String {
    let hundredths = (ratio * 100).rounded()
    guard hundredths.magnitude < 1e12 else { return "∞" }
    let whole = Int(hundredths)
    let rest = whole % 100
    return "\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
