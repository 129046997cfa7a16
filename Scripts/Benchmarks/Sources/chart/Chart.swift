// SPDX-License-Identifier: Apache-2.0
import Foundation
import Stored

/// `chart JSON`: prints an SVG of what `compare --json` stored, the ratios of ours to plain C.
@main
struct Chart {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: chart JSON >SVG\n".utf8))
      exit(64)
    }
    let file = URL(filePath: CommandLine.arguments[1])
    let comparison = try JSONDecoder().decode(Comparison.self, from: Data(contentsOf: file))
    print(Drawing(comparison).svg)
  }
}

/// Bars against the line of plain C, each with its bound.
struct Drawing {
  private let bars: [Bar]
  private let runs: Int
  private let remark: String
  private static let label = 330.0
  private static let width = 760.0
  fileprivate static let step = 30.0
  fileprivate static let peerStep = 16.0
  private static let top = 52.0
  /// The ratio at the right edge.
  private static let most = 1.6

  private struct Bar {
    let title: String
    let figure: Comparison.Figure
    let peers: [Comparison.Peer]
    /// How much room it takes, with a thinner bar for each peer.
    var height: Double { Drawing.step + Double(peers.count) * Drawing.peerStep }
  }

  init(_ comparison: Comparison) {
    runs = comparison.runs
    remark = [comparison.measured, comparison.machine].compactMap(\.self).joined(separator: ", ")
    bars = comparison.rows.flatMap { row in
      row.figures.filter { $0.name.hasSuffix("ours to C") && $0.bound != nil }.map { figure in
        Bar(
          title: row.title + (figure.name.hasPrefix("time") ? ", time" : ""), figure: figure,
          peers: row.peers ?? [])
      }
    }
  }

  var svg: String {
    let tops = bars.reduce(into: [Self.top]) { tops, bar in tops.append((tops.last ?? Self.top) + bar.height) }
    let end = tops.last ?? Self.top
    let height = end + (remark.isEmpty ? 16 : 34)
    var lines = zip(bars, tops).map { draw($0, at: $1) }
    if !remark.isEmpty {
      lines.append("<text class=\"small\" x=\"8\" y=\"\(end + 22)\">\(Self.escaped(remark))</text>")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" \
      aria-label="What the Session module costs, as a share of plain C">
      <style>
      text { font: 13px system-ui, sans-serif; fill: #24292f }
      .small { font-size: 11px } .peer { fill: #8b949e }
      .ours { fill: #2f6feb } .bound { stroke: #9a6700; stroke-width: 2 } .c { stroke: #57606a; stroke-dasharray: 4 3 }
      @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .bound { stroke: #d29922 } .c { stroke: #8b949e } }
      </style>
      <text x="8" y="18">Ours as a share of plain C on the same libcurl: processor time (medians of \(runs)), less is better</text>
      <text x="\(Self.x(1) - 4)" y="42" text-anchor="end">C</text>
      <line class="c" x1="\(Self.x(1))" y1="30" x2="\(Self.x(1))" y2="\(end + 8)"/>
      \(lines.joined(separator: "\n"))
      </svg>
      """
  }

  private func draw(_ bar: Bar, at y: Double) -> String {
    let value = String(format: "%.2f", bar.figure.value)
    let bound = Self.x(bar.figure.bound ?? Self.most)
    let end = Self.x(bar.figure.value)
    return """
      <text x="8" y="\(y + 14)">\(Self.escaped(bar.title))</text>
      <rect class="ours" x="\(Self.label)" y="\(y + 2)" width="\(end - Self.label)" height="16" rx="2"/>
      <line class="bound" x1="\(bound)" y1="\(y - 1)" x2="\(bound)" y2="\(y + 21)"><title>bound</title></line>
      <text x="\(max(end, bound) + 6)" y="\(y + 14)">\(Self.mark(bar.figure.value))\(value)</text>
      """ + bar.peers.enumerated().map { draw($1, at: y + 20 + Double($0) * Self.peerStep) }.joined()
  }

  /// Before the figure of a bar that goes beyond the right edge.
  private static func mark(_ value: Double) -> String { value > most ? "→ " : "" }

  /// A peer's bar.
  private func draw(_ peer: Comparison.Peer, at y: Double) -> String {
    let end = Self.x(peer.value ?? 0)
    let value = peer.value.map { String(format: $0 < 10 ? "%.2f" : "%.0f", $0) } ?? "did not end"
    return """

      <text class="small" x="\(Self.label - 8)" y="\(y + 11)" text-anchor="end">\(Self.escaped(peer.name))</text>
      <rect class="peer" x="\(Self.label)" y="\(y + 2)" width="\(end - Self.label)" height="10" rx="2"/>
      <text class="small" x="\(end + 6)" y="\(y + 11)">\(Self.mark(peer.value ?? 0))\(value)</text>
      """
  }

  /// Where a ratio lies.
  private static func x(_ ratio: Double) -> Double {
    (label + min(ratio, most) / most * (width - label - 50)).rounded()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
