// SPDX-License-Identifier: Apache-2.0
import LessonKit
public import Measuring
import Pitfalls

/// The behaviour of a measured command, for a terminal: of each process its loads, its costs and its pitfalls.
public struct MeasureReport {
  private let result: CommandResult
  private let style: TextStyle

  /// A report of `result` in `style`.
  public init(_ result: CommandResult, style: TextStyle) {
    (self.result, self.style) = (result, style)
  }

  /// The report, each line ended.
  public var text: String {
    var lines = [style.paint(result.command.joined(separator: " "), .heading)]
    for sentence in [MeasureWords.sum(result)] + MeasureWords.remarks(result) { add(sentence, to: &lines) }
    for process in result.processes { lines += [""] + block(process) }
    return style.finished(lines)
  }

  private func add(_ phrase: Phrase, to lines: inout [String]) {
    lines += TextLayout.wrap(style.say(phrase), style.width)
  }

  // MARK: - A process

  private func block(_ process: ProcessResult) -> [String] {
    var lines: [String] = []
    if result.processes.count > 1 || process.command != result.command.joined(separator: " ") {
      lines.append(
        style.paint(TextLayout.shortened("\(process.process)  \(process.command)", style.width), .heading))
    }
    add(MeasureWords.costs(process), to: &lines)
    let curve = Sparkline(
      process.memory, duration: process.ended - process.began, columns: min(60, style.width - 12),
      height: max(Sparkline.leastHeight, process.memory.growth))
    if !curve.line.isEmpty { lines.append(style.say("memory") + "  " + curve.line) }
    lines += table(process)
    for sentence in MeasureWords.leftovers(process) { add(sentence, to: &lines) }
    lines += pitfalls(process)
    return lines
  }

  private func pitfalls(_ process: ProcessResult) -> [String] {
    let ignored = process.ignored.flatMap { ignored in
      let why = ignored.reason.isEmpty ? "as this command asks" : Phrase(verbatim: ignored.reason)
      return TextLayout.wrap(style.say("Ignored: \(ignored.seen.words), \(why)"), style.width, indent: 2)
    }
    guard !process.pitfalls.isEmpty else { return [style.say("Pitfalls: none was found.")] + ignored }
    let rows = PitfallRows(process.pitfalls, style: style) { process.name(ofLoad: $0) }
    return [style.paint(style.say("Pitfalls"), .heading)] + rows.lines(style.width) + ignored
  }

  // MARK: - Loads

  private func table(_ process: ProcessResult) -> [String] {
    guard !process.loads.isEmpty else { return [] }
    let heads = MeasureWords.heads
    let groups = LoadGroup.of(process.loads)
    let rows = groups.prefix(LoadGroup.most).map { MeasureWords.cells($0, style.catalogue) }
    let rest = groups.dropFirst(LoadGroup.most).reduce(process.unshown) { $0 + $1.count }
    // On a narrow terminal columns are left out, the wait first.
    var kept = Array(heads.indices)
    let widths = heads.indices.map { column in
      (rows.map { TextLayout.width($0[column]) } + [TextLayout.width(style.say(heads[column]))]).max() ?? 0
    }
    for column in [5, 4, 3] where kept.dropLast().reduce(0, { $0 + widths[$1] + 2 }) + 30 > style.width {
      kept.removeAll { $0 == column }
    }
    let room = max(16, style.width - kept.dropLast().reduce(0) { $0 + widths[$1] + 2 })
    func line(_ cells: [String]) -> String {
      kept.dropLast().map { TextLayout.fill(cells[$0], widths[$0]) + "  " }.joined()
        + TextLayout.shortened(cells[heads.count - 1], room)
    }
    var notes: [Phrase] = rest > 0 ? ["and \(rest) more"] : []
    if groups.count < process.loads.count {
      notes.append("Equal loads share a row: their bytes together, the longest time and wait.")
    }
    return [style.paint(line(heads.map(style.say)), .faint)] + rows.map(line)
      + notes.flatMap { TextLayout.wrap(style.say($0), style.width) }
  }
}
