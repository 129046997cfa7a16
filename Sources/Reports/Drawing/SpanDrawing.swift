// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The library's transfers, or the server's requests, as bars of a lane: those that lie over one another in rows.
///
/// Each bar tells by a title what it is. A title takes ten times as many bytes as a bar, so where there are many bars they are
/// one path with one title; the page's script still names those at a moment.
struct SpanDrawing {
  /// The most bars with a title of their own.
  static let mostTitles = 40
  private static let (fewRows, mostRows) = (6, 32)

  private let spans: [TimelineData.Span]
  private let rows: [Int]
  private let data: TimelineData
  private let axis: TimeAxis
  private let say: StringCatalogue

  /// A lane of those that are in sight: what a former process of the example did ended before the axis begins.
  init(
    _ spans: [TimelineData.Span], of data: TimelineData, axis: TimeAxis, say: StringCatalogue, isBrief: Bool = false
  ) {
    self.spans = spans.filter { ($0.ended ?? .infinity) >= 0 }
    (self.data, self.axis, self.say) = (data, axis, say)
    rows = Self.rows(self.spans, most: isBrief ? Self.fewRows : Self.mostRows)
  }

  /// True if nothing is in sight.
  var isEmpty: Bool { spans.isEmpty }
  /// Pixels that the rows need beyond the first.
  var extraHeight: Int { (rows.max() ?? 0) * rowHeight }
  private var barHeight: Int { rows.max() == 0 ? 10 : rowHeight == 7 ? 5 : 4 }
  /// Many rows are narrower than few.
  private var rowHeight: Int { (rows.max() ?? 0) < Self.fewRows ? 7 : 5 }

  /// The bars, `top` pixels below the drawing's upper edge.
  func svg(_ style: String, named name: String, top: Int) -> String {
    (spans.count > Self.mostTitles ? paths(style, name, top) : bars(style, top)) + stages(top)
  }

  /// Upon the bars the time until a connection was there, and from there to the first byte of the answer: a waterfall.
  private func stages(_ top: Int) -> String {
    var (connecting, waiting) = ("", "")
    for (span, row) in zip(spans, rows) {
      let connected = span.stages?.connected ?? span.began
      if connected > span.began { connecting += bar(span.began, connected, row) }
      if let answered = span.answered, answered > connected { waiting += bar(connected, answered, row) }
    }
    let paths = [("connecting", connecting), ("waiting", waiting)].filter { !$0.1.isEmpty }
      .map { "<path class=\"\($0.0)\" d=\"\($0.1)\"/>" }
    guard !paths.isEmpty else { return "" }
    return stretched(paths.joined(), top)
  }

  private func bar(_ began: Double, _ ended: Double, _ row: Int) -> String {
    let (first, last) = (axis.units(began), axis.units(ended))
    return first == last ? "" : "M\(first) \(row * rowHeight)h\(last - first)v\(barHeight)h-\(last - first)z"
  }

  private func stretched(_ content: String, _ top: Int) -> String {
    let height = extraHeight + barHeight
    return
      "<svg x=\"0\" y=\"\(top)\" width=\"100%\" height=\"\(height)\" viewBox=\"0 0 \(TimeAxis.width) \(height)\" preserveAspectRatio=\"none\">\(content)</svg>"
  }

  private func bars(_ style: String, _ top: Int) -> String {
    zip(spans, rows).map { span, row in
      let (x, width) = axis.extent(span.began, span.ended ?? axis.duration)
      let open = span.ended == nil ? " open" : ""
      let title = "\(data.words(span)) · \(time(span.began, span.ended))"
      return
        "<rect class=\"\(style)\(open)\" x=\"\(x)\" y=\"\(top + row * rowHeight)\" width=\"\(width)\" height=\"\(barHeight)\"><title>\(Markup.escaped(title))</title></rect>"
    }.joined()
  }

  private func paths(_ style: String, _ name: String, _ top: Int) -> String {
    let ends = spans.map(\.ended)
    let last = ends.contains(nil) ? nil : ends.compactMap(\.self).max()
    let title = "\(name) · \(spans.count)× · \(time(spans.map(\.began).min() ?? 0, last))"
    let paths = [(style, outline(of: { $0.ended != nil })), ("\(style) open", outline(of: { $0.ended == nil }))]
      .filter { !$0.1.isEmpty }.map { "<path class=\"\($0.0)\" d=\"\($0.1)\"/>" }
    return
      "<g><title>\(Markup.escaped(title))</title>\(stretched(paths.joined(), top))</g>"
  }

  /// The bars as one outline, each place of a row once.
  private func outline(of isWanted: (TimelineData.Span) -> Bool) -> String {
    var drawn: Set<String> = []
    return zip(spans, rows).filter { isWanted($0.0) }.map { span, row in
      let (x, width) = axis.bar(span.began, span.ended ?? axis.duration)
      let bar = "M\(x) \(row * rowHeight)h\(width)v\(barHeight)h-\(width)z"
      return drawn.insert(bar).inserted ? bar : ""
    }.joined()
  }

  private func time(_ began: Double, _ ended: Double?) -> String {
    "\(Figures.time(began)) – \(ended.map(Figures.time) ?? say("no end"))"
  }

  /// For each span the first row in which nothing else lies; the last row takes what finds none.
  private static func rows(_ spans: [TimelineData.Span], most: Int) -> [Int] {
    var ends: [Double] = []
    return spans.map { span in
      let row = ends.firstIndex { $0 <= span.began } ?? min(ends.count, most - 1)
      if row == ends.count { ends.append(0) }
      ends[row] = span.ended ?? .infinity
      return row
    }
  }
}
