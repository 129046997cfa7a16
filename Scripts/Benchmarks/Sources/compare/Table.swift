// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The results as text for a terminal and as Markdown for the README.
struct Table {
  private let lines: [[String]]
  private static let heads = ["job", "C", "ours", "figure", "value", "bound", ""]

  init(_ results: [Result]) {
    lines = results.flatMap { result in
      result.row.bounds.enumerated().map { index, bound in
        let value = result.value(bound.figure)
        return [
          index == 0 ? result.row.title : "",
          index == 0 ? Self.costs(result, result.baseline) : "", index == 0 ? Self.costs(result, result.ours) : "",
          Self.name(bound.figure), Self.number(value, bound.figure),
          bound.limit.isFinite ? Self.number(bound.limit, bound.figure) : "",
          bound.limit.isFinite ? (value <= bound.limit ? "ok" : "MISSED") : "",
        ]
      }
    }
  }

  var text: String {
    let rows = [Self.heads] + lines
    let widths = Self.heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
    }.joined(separator: "\n") + "\n"
  }

  var markdown: String {
    let rows = [Self.heads, Self.heads.map { _ in "---" }] + lines
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
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
    case .processorOfProcess: "the same, with the start"
    case .wall: "time, ours to C"
    case .growth: "memory growth, MiB"
    case .growthPerTransfer: "memory a transfer, KB"
    case .growthToSize: "memory growth to size"
    case .threads: "threads"
    }
  }

  private static func number(_ value: Double, _ figure: Row.Figure) -> String {
    switch figure {
    case .processor, .processorOfProcess, .wall, .growthToSize: String(format: "%.2f", value)
    case .growth, .growthPerTransfer: String(format: "%.1f", value)
    case .threads: String(format: "%.0f", value)
    }
  }
}
