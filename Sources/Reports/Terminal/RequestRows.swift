// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The requests that the lesson server saw of an example, a compact row for each; where all is shown, with the fields of each
/// and of its answer below it.
struct RequestRows {
  private static let most = 8
  /// A program of somebody's own may send thousands.
  private static let mostOfAll = 200
  private let requests: [RequestSeen]
  private let style: TextStyle
  private let columns: Int
  private let isWhole: Bool

  init(_ requests: [RequestSeen], isWhole: Bool = false, style: TextStyle, columns: Int) {
    self.requests = requests
    self.isWhole = isWhole
    self.style = style
    self.columns = columns
  }

  /// The rows: method and path, status, bytes received and sent, socket, range.
  var lines: [String] {
    guard !requests.isEmpty else { return [style.say("none reached the server")] }
    let shown = Array(requests.prefix(isWhole ? Self.mostOfAll : Self.most))
    let names = shown.map { "\($0.method) \($0.target)" }
    let facts = shown.map { style.say(self.facts($0)) }
    let room = max(12, columns - (facts.map(TextLayout.width).max() ?? 0) - 2)
    let width = min(room, names.map(TextLayout.width).max() ?? 0)
    let heads = isWhole ? self.heads(of: shown) : []
    let rows = zip(names, facts).enumerated().flatMap { number, row in
      TextLayout.wrap(TextLayout.fill(shortened(row.0, width), width) + "  " + row.1, columns, indent: 4)
        + (isWhole ? heads[number] : [])
    }
    let rest = requests.count - shown.count
    return rows + (rest > 0 ? [style.say("and \(rest) more")] : [])
  }

  /// Below each row the heads, or that they are those of a row above.
  private func heads(of requests: [RequestSeen]) -> [[String]] {
    zip(requests, RequestHeads.firstAlike(requests)).map { request, first in
      let lines =
        first.map { [style.say("the same fields as of the request at \(Figures.time(requests[$0].began))")] }
        ?? RequestHeads(request).lines(of: request, style.catalogue)
      return lines.flatMap { TextLayout.wrap($0, columns - 4, indent: 4) }.map { "    " + style.paint($0, .faint) }
    }
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
