// SPDX-License-Identifier: Apache-2.0
import Foundation
import Stored

/// The results as text for a terminal and as Markdown for the README.
struct Table {
  private let lines: [[String]]
  private let heads: [String]

  /// `other` is what ours runs beside: "C", or "before" for an earlier build.
  init(_ results: [Result], beside other: String = "C") {
    heads = ["job", other, "ours", "figure", "value", "bound", ""]
    lines = results.flatMap { result in
      result.row.bounds.enumerated().map { index, bound in
        let value = result.value(bound.figure)
        return [
          index == 0 ? result.row.title : "",
          index == 0 ? Self.costs(result, result.baseline) : "", index == 0 ? Self.costs(result, result.ours) : "",
          Self.name(bound.figure).replacing(" to C", with: " to \(other)"), Self.number(value, bound.figure),
          bound.limit.isFinite ? Self.number(bound.limit, bound.figure) : "",
          bound.limit.isFinite ? (value <= bound.limit ? "ok" : "MISSED") : "",
        ]
      } + result.peers.map { Self.line($0, of: result) }
    }
  }

  /// A peer's ratio, with its costs behind it.
  private static func line(_ peer: PeerResult, of result: Result) -> [String] {
    let name = (result.row.compared == .wall ? "time, " : "CPU, ") + peer.peer.name + " to C"
    guard let ratio = result.ratio(peer) else { return ["", "", "", name, "-", "", peer.failure ?? ""] }
    return ["", "", "", name, String(format: "%.2f", ratio), "", costs(result, peer.figures)]
  }

  var text: String {
    let rows = [heads] + lines
    let widths = heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
    }.joined(separator: "\n") + "\n"
  }

  var markdown: String {
    let rows = [heads, heads.map { _ in "---" }] + lines
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A row as it is kept, with the figures as the table shows them.
  static func stored(_ result: Result) -> Comparison.Row {
    let figures = result.row.bounds.map { bound in
      Comparison.Figure(
        name: name(bound.figure), value: Double(number(result.value(bound.figure), bound.figure)) ?? .infinity,
        bound: bound.limit.isFinite ? bound.limit : nil)
    }
    var row = Comparison.Row(name: result.row.name, title: result.row.title, figures: figures)
    let peers = result.peers.map { peer in
      Comparison.Peer(name: peer.peer.name, value: result.ratio(peer).map { ($0 * 100).rounded() / 100 })
    }
    if !peers.isEmpty { row.peers = peers }
    return row
  }

  /// Processor and clock seconds, and memory: the medians of one side.
  private static func costs(_ result: Result, _ figures: [Figures]) -> String {
    guard !figures.isEmpty else { return "-" }
    return String(
      format: "%.2f s CPU, %.2f s, %.1f MiB", result.median(figures, \.processor), result.median(figures, \.wall),
      result.median(figures, \.growth) / 1_048_576)
  }

  private static func name(_ figure: Row.Figure) -> String {
    switch figure {
    case .processor: "CPU, ours to C"
    case .processorWithAgent: "CPU, with the agent, to the foreground's"
    case .processorToPlain: "CPU, to the same GETs without cookies and cache"
    case .processorToHalf: "CPU, to half of the work"
    case .processorOfProcess: "the same, with the start"
    case .wall: "time, ours to C"
    case .wallToForeground: "time, to the foreground's"
    case .growth: "memory growth, MiB"
    case .growthPerTransfer: "memory a transfer, KB"
    case .growthToSize: "memory growth to size"
    case .threads: "threads"
    }
  }

  private static func number(_ value: Double, _ figure: Row.Figure) -> String {
    switch figure {
    case .processor, .processorOfProcess, .processorWithAgent, .processorToPlain, .processorToHalf, .wall,
      .wallToForeground, .growthToSize:
      String(format: "%.2f", value)
    case .growth, .growthPerTransfer: String(format: "%.1f", value)
    case .threads: String(format: "%.0f", value)
    }
  }
}
