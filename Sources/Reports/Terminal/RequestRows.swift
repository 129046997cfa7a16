// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The requests that the lesson server saw of an example, a compact row for each.
struct RequestRows {
  private static let most = 8
  private let requests: [RequestSeen]
  private let style: TextStyle
  private let columns: Int

  init(_ requests: [RequestSeen], style: TextStyle, columns: Int) {
    self.requests = requests
    self.style = style
    self.columns = columns
  }

  /// The rows: method and path, status, bytes received and sent, socket, range.
  var lines: [String] {
    guard !requests.isEmpty else { return [style.say("none reached the server")] }
    let shown = requests.prefix(Self.most)
    let names = shown.map { "\($0.method) \($0.target)" }
    let facts = shown.map { style.say(self.facts($0)) }
    let room = max(12, columns - (facts.map(TextLayout.width).max() ?? 0) - 2)
    let width = min(room, names.map(TextLayout.width).max() ?? 0)
    let rows = zip(names, facts).flatMap { name, facts in
      TextLayout.wrap(TextLayout.fill(shortened(name, width), width) + "  " + facts, columns, indent: 4)
    }
    let rest = requests.count - shown.count
    return rows + (rest > 0 ? [style.say("and \(rest) more")] : [])
  }

  private func facts(_ request: RequestSeen) -> Phrase {
    var parts = [request.status.map { Phrase(verbatim: "\($0)") } ?? "no answer"]
    if request.bodyBytes > 0 { parts.append("\(Figures.size(request.bodyBytes)) received") }
    parts.append("\(Figures.size(request.bytesSent)) sent")
    parts.append("socket \(request.socket)")
    if let range = request.range { parts.append(Phrase(verbatim: range)) }
    return parts.joined(" · ")
  }

  /// Without its middle: requests differ at the end of their query.
  private func shortened(_ text: String, _ columns: Int) -> String {
    guard TextLayout.width(text) > columns else { return text }
    return text.prefix(columns / 2) + "…" + text.suffix(columns - columns / 2 - 1)
  }
}
