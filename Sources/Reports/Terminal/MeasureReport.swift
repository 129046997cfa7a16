// SPDX-License-Identifier: Apache-2.0
import LessonKit
public import Measuring
import Pitfalls

/// What a measured command did, for a terminal: of each process its loads, its costs and its pitfalls.
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
    add(
      "exit status \(result.status) · \(Figures.time(result.wall)) · \(Figures.size(result.memory.peak)) at most · \(Phrase.count(result.threads, "thread")) at most",
      to: &lines)
    if result.processes.isEmpty {
      add(
        "No process of it used ConnectionAPI or SessionAPI, so no load could be seen: it links neither, or made no connection, session or configuration.",
        to: &lines)
    }
    if result.refused > 0 {
      add("\(result.refused) more processes ran at the same time and were not measured.", to: &lines)
    }
    if result.liars > 0 {
      add(
        "\(Phrase.count(result.liars, "connection")) to the measurement brought what no recorder of this version writes, and nothing else.",
        to: &lines)
    }
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
    let costs: Phrase =
      "\(Phrase.count(process.loads.count + process.unshown, "load")) · \(Figures.size(process.memory.peak)) at most · \(Phrase.count(process.threads, "thread")) at most"
    add(
      process.longestMainWait == 0
        ? costs : "\(costs) · longest wait of a callback for main \(Figures.time(process.longestMainWait))", to: &lines)
    let curve = Sparkline(
      process.memory, duration: process.ended - process.began, columns: min(60, style.width - 12),
      height: max(Sparkline.leastHeight, process.memory.growth))
    if !curve.line.isEmpty { lines.append(style.say("memory") + "  " + curve.line) }
    lines += table(process)
    for sentence in leftovers(process) { add(sentence, to: &lines) }
    lines += pitfalls(process)
    return lines
  }

  /// What could not be seen, and what the program left over.
  private func leftovers(_ process: ProcessResult) -> [Phrase] {
    var sentences: [Phrase] = []
    let unstarted = process.loads.count { !$0.isStarted && $0.ended == nil && !$0.isIncomplete }
    let endless = process.loads.count { $0.isStarted && $0.ended == nil && !$0.isIncomplete }
    if unstarted > 0 { sentences.append("Left over: \(unstarted) never started") }
    if endless > 0 { sentences.append("Left over: \(endless) without an end") }
    if process.sessionsLeft > 0 {
      sentences.append("Left over: \(Phrase.count(process.sessionsLeft, "session")) never invalidated")
    }
    if process.lost > 0 {
      sentences.append("\(process.lost) events came too fast to be kept: figures of this process are too small.")
    }
    if process.sentNonsense {
      sentences.append("The process wrote what no recorder of this version writes; nothing was read after that.")
    }
    if !process.endedInOrder {
      sentences.append("It was killed, crashed, executed another program or was still there: measured until then.")
    }
    return sentences
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
    let heads: [Phrase] = ["status", "bytes", "time", "connection", "callbacks at", "longest wait", "load"]
    let groups = LoadGroup.of(process.loads)
    let rows = groups.prefix(LoadGroup.most).map { group in
      var row = cells(group.load)
      if group.count > 1 { row[6] = "\(group.count) × " + row[6] }
      return row
    }
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

  private func cells(_ load: LoadRow) -> [String] {
    let end = load.ended.map { Figures.time(max(0, $0 - load.began)) }
    let connection: Phrase = load.isNewConnection.map { $0 ? "new" : "kept" } ?? "–"
    return [
      load.error.map { _ in "✗" } ?? (load.status == 0 ? "–" : "\(load.status)"),
      load.bytes == 0 ? "–" : Figures.size(Int(clamping: load.bytes)),
      end ?? style.say(load.isIncomplete ? "–" : load.isStarted ? "no end" : "not started"), style.say(connection),
      load.place.isEmpty ? "–" : load.place, load.longestWait == 0 ? "–" : Figures.time(load.longestWait),
      [load.method, load.url, load.error ?? ""].filter { !$0.isEmpty }.joined(separator: " "),
    ]
  }
}
