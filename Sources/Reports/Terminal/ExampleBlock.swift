// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One example's result as a block of lines, one column of the report.
struct ExampleBlock {
  private static let labelWidth = 10

  private let result: ExampleResult
  private let bodyBytes: Int
  private let columns: Int
  private let paint: Paint

  init(_ result: ExampleResult, bodyBytes: Int, columns: Int, paint: Paint) {
    self.result = result
    self.bodyBytes = bodyBytes
    self.columns = columns
    self.paint = paint
  }

  /// The block's lines, each at most as wide as the column.
  var lines: [String] {
    let role: Paint.Role = result.side == .connection ? .connection : .session
    var lines = TextLayout.wrap(result.id, columns).map { paint($0, role) }
    if !result.title.isEmpty { lines += TextLayout.wrap(result.title, columns).map { paint($0, .faint) } }
    lines += row("outcome", outcome, outcomeRole)
    lines += row("time", time)
    lines += row("memory", memory)
    lines += curve
    lines += row("threads", threads)
    lines += row("main loop", "longest time without an answer \(Figures.time(result.mainThread.longestGap))")
    lines += row("traffic", traffic)
    return lines + CallbackRows(result.callbacks, columns: columns, paint: paint).lines
  }

  private func row(_ label: String, _ text: String, _ role: Paint.Role? = nil) -> [String] {
    let wrapped = TextLayout.wrap(text, columns - Self.labelWidth)
    return wrapped.enumerated().map { index, line in
      let head = TextLayout.fill(index == 0 ? label : "", Self.labelWidth)
      return paint(head, .faint) + (role.map { paint(line, $0) } ?? line)
    }
  }

  // MARK: - Rows

  private var outcome: String {
    let outcome = result.outcome
    var parts = [outcome.kind.words]
    if outcome.status != 0 { parts.append("HTTP \(outcome.status)") }
    if let error = outcome.error {
      parts.append("\(error.domain) \(error.code)" + (error.name.isEmpty ? "" : " \(error.name)"))
    }
    if outcome.bytes > 0 {
      parts.append(Figures.size(outcome.bytes) + (outcome.checksumOK ? ", checksum equal" : ", checksum NOT equal"))
    }
    if outcome.bytes == 0, outcome.status != 0 { parts.append("no body came to the program") }
    if outcome.error == nil, !outcome.why.isEmpty { parts.append(outcome.why) }
    return parts.joined(separator: " · ")
  }

  private var outcomeRole: Paint.Role {
    switch result.outcome.kind {
    case .finished: result.outcome.checksumOK || result.outcome.bytes == 0 ? .good : .bad
    case .failed: .doubtful
    case .timedOut, .crashed: .bad
    }
  }

  private var time: String {
    "\(Figures.time(result.time.wall)) · processor \(Figures.time(result.time.cpu)) · "
      + Figures.count(result.time.wakeups, "wake-up")
  }

  private var memory: String {
    let memory = result.memory
    guard memory.peak > 0 else { return "not measured" }
    let ratio = bodyBytes > 0 ? Double(memory.growth) / Double(bodyBytes) : 0
    let share = ratio < 0.01 ? "under 0.01" : ratio.formatted(2)
    return "\(Figures.size(memory.baseline)) before · \(Figures.size(memory.peak)) at most · "
      + "+\(Figures.size(memory.growth)) = \(share) S"
  }

  private var curve: [String] {
    let space = columns - Self.labelWidth
    let probe = Sparkline(result.memory, duration: result.time.wall, columns: 2)
    let scale = " of \(Figures.size(probe.height))"
    let width = min(48, space - scale.count)
    let line = Sparkline(result.memory, duration: result.time.wall, columns: width).line
    guard !line.isEmpty else { return [] }
    return [String(repeating: " ", count: Self.labelWidth) + line + paint(scale, .faint)]
  }

  private var threads: String {
    let threads = result.threads
    guard result.memory.peak > 0 else { return "not measured" }
    return "\(threads.before) before · \(threads.peak) at most · \(threads.after) after"
  }

  private var traffic: String {
    let traffic = result.traffic
    var parts = [Figures.count(traffic.requests, "request"), Figures.count(traffic.sockets, "socket")]
    parts.append(Figures.size(traffic.bytesSent) + " sent")
    if !traffic.ranges.isEmpty { parts.append("ranges " + traffic.ranges.joined(separator: ", ")) }
    return parts.joined(separator: " · ")
  }
}
