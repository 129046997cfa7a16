// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// An example over one time axis, in characters: a row for each thread that had callbacks, one for the stretches in
/// which main did not answer, one for memory; where a touch or a stop came between, which is shaded, two for the bytes that the
/// server had sent and that callbacks had given until each moment.
struct TimelineRows {
  private static let mostThreads = 4
  private let result: ExampleResult
  private let height: Int
  private let style: TextStyle
  private let labelWidth: Int
  private let columns: Int
  private let duration: Double

  /// - Parameters:
  ///   - result: the example.
  ///   - height: bytes above the baseline at which a memory curve is full; one for all examples that are compared.
  ///   - time: seconds at the end of the axis; one for all examples that are compared.
  ///   - room: columns for label and axis together.
  init(_ result: ExampleResult, height: Int, time: Double, room: Int, style: TextStyle) {
    self.result = result
    self.height = height
    self.style = style
    labelWidth = TextLayout.width(style.say("main silent")) + 2
    columns = max(10, min(72, room - labelWidth))
    duration = max(result.time.wall, time, 0.000_001)
  }

  /// The rows, the time axis last.
  var lines: [String] {
    guard result.time.wall > 0, result.isMeasured else { return [] }
    var lines = threads.map { row($0.label, ticks(ofThread: $0.number)) }
    if !result.mainThread.gaps.isEmpty { lines.append(row(style.say("main silent"), silence)) }
    lines += bytes
    let curve = Sparkline(result.memory, duration: duration, columns: columns, height: height).line
    if !curve.isEmpty { lines.append(row(style.say("memory"), curve)) }
    return lines.isEmpty && shade.isEmpty ? [] : lines + [axis] + shade
  }

  private func row(_ label: String, _ line: String) -> String {
    style.paint(TextLayout.fill(label, labelWidth), .faint) + line
  }

  // MARK: - Rows

  private var threads: [(number: Int, label: String)] {
    let places = result.callbacks.filter(\.implemented).flatMap(\.places)
    let counts = Dictionary(places.map { ($0.thread.id, $0.count) }, uniquingKeysWith: +)
    let most = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.mostThreads).map(\.key)
    return most.sorted().map { number in
      let isMain = places.contains { $0.thread.id == number && $0.thread.main }
      return (number, style.say(isMain ? "main" : "thread \(number)"))
    }
  }

  private func ticks(ofThread number: Int) -> String {
    var line = background
    for tick in result.ticks where tick.thread == number && tick.instant <= duration {
      line[column(tick.instant)] = "│"
    }
    return String(line)
  }

  private var silence: String {
    var line = background
    for gap in result.mainThread.gaps where gap.began <= duration {
      for column in column(gap.began)...column(min(gap.ended, duration)) { line[column] = "█" }
    }
    return String(line)
  }

  private var bytes: [String] {
    guard !stretches.isEmpty, let given = result.flow, let sent = result.sent else { return [] }
    let rows: [(Phrase, ByteFlow)] = [("bytes sent", sent), ("bytes given", given)]
    let most = max(given.total, sent.total)
    return rows.map { name, flow in
      row(style.say(name), Sparkline(sumsOf: flow, most: most, duration: duration, columns: columns).line)
    }
  }

  private var background: [Character] {
    var line = [Character](repeating: " ", count: columns)
    for stretch in stretches {
      for column in column(stretch.began)...column(min(stretch.ended, duration)) { line[column] = "░" }
    }
    return line
  }

  private var stretches: [Circumstances.Stretch] {
    [result.happenings.touch?.stretch, result.happenings.stop].compactMap { $0 }
      .filter { $0.began <= duration && $0.ended >= $0.began }
  }

  private var axis: String {
    let end = Figures.time(duration)
    let line = String(repeating: "─", count: max(1, columns - TextLayout.width(end) - 3))
    return row("", style.paint("0 \(line) \(end)", .faint))
  }

  /// The meaning of the shade.
  private var shade: [String] {
    var words: [Phrase] = []
    if let touch = result.happenings.touch {
      let all = result.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count }
      words.append(
        "░ touch, counted from \(Figures.time(touch.countedFrom)) to \(Figures.time(touch.stretch.ended)): \(touch.callbacks) of \(all) callbacks came during it"
      )
    }
    if let stop = result.happenings.stop {
      words.append("░ process stopped from \(Figures.time(stop.began)) to \(Figures.time(stop.ended))")
    }
    return words.flatMap { TextLayout.wrap(style.say($0), columns + labelWidth, indent: 2) }
  }

  private func column(_ instant: Double) -> Int {
    min(columns - 1, max(0, Int(instant / duration * Double(columns))))
  }
}
