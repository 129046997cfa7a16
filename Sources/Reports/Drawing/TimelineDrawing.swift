// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One example over its figure's time axis, as SVG: a lane for each thread that had callbacks, one for the library's
/// transfers, one for the server's requests, then the memory curve.
///
/// Instants are shares of the width, heights are pixels: the drawing fits any width without its letters shrinking. Lines
/// of a lane lie in a nested drawing that stretches; their strokes do not.
struct TimelineDrawing {
  private static let laneHeight = 36
  private static let bandHeight = 16
  private static let trackTop = 16
  private static let trackHeight = 14

  private let data: TimelineData
  private let axis: TimeAxis
  /// Nil for a drawing without a curve of memory.
  private let memory: MemoryDrawing?
  private let say: StringCatalogue
  /// True if the lanes that matter most stand alone, for a reader at a distance.
  private let isBrief: Bool
  /// The marks of what a check looked at, of which alone such a drawing is; nil for all.
  private let marks: CheckMarks?

  init(
    _ data: TimelineData, axis: TimeAxis, memory: MemoryDrawing?, say: StringCatalogue, isBrief: Bool = false,
    marks: CheckMarks? = nil
  ) {
    self.marks = marks
    self.isBrief = isBrief
    self.data = data
    self.axis = axis
    self.memory = memory
    self.say = say
  }

  /// The drawing; `label` is its text alternative.
  func svg(label: String) -> String {
    // The name of a touch stands above the lanes where words stand on theirs.
    var top = marks?.hasLanes == true && (data.touch ?? data.stop) != nil ? Self.bandHeight : 4
    var parts: [String] = []
    for lane in lanes {
      parts.append(draw(lane, top))
      top += Self.laneHeight
    }
    for (name, spans, style) in spans {
      let lane = SpanDrawing(spans, of: data, axis: axis, say: say, isBrief: isBrief)
      guard !lane.isEmpty else { continue }
      parts.append(self.name(name, top) + lane.svg(style, named: name, top: top + Self.trackTop))
      let name = top + 12
      top += Self.laneHeight + lane.extraHeight
      if style == "load", let bytes = ByteDrawing(data, axis: axis, say: say) {
        let (curve, height) = bytes.svg(top: top - 6, name: name)
        parts.append(curve)
        top += height
      }
    }
    if isBrief, (data.touch ?? data.stop) != nil, let bytes = ByteDrawing(data, axis: axis, say: say) {
      let (curve, height) = bytes.svg(top: top + Self.trackTop, name: top + 12)
      parts.append(name(say("bytes"), top) + curve)
      top += Self.trackTop + height
    }
    let (curve, height) = memory?.svg(top: top + 2) ?? ("", 0)
    let bottom = top + 2 + height
    return
      "<svg class=\"drawing\(isBrief ? " brief" : "")\" role=\"img\" tabindex=\"0\" width=\"100%\" height=\"\(bottom + 20)\"\(isBrief ? " data-duration=\"\(data.duration)\"" : "") aria-label=\"\(Markup.escaped(label))\">"
      + bands(to: bottom) + scale(to: bottom) + parts.joined() + curve
      + "<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"\(bottom)\" visibility=\"hidden\"/></svg>"
  }

  // MARK: - Lanes

  /// All lanes of threads; of those that matter most the main thread's, and that of the most callbacks elsewhere.
  private var lanes: [TimelineData.Lane] {
    if let marks, !marks.hasLanes { return [] }
    guard isBrief, let main = data.lanes.first else { return data.lanes }
    let counts = Dictionary(data.ticks.map { ($0.thread, $0.count) }, uniquingKeysWith: +)
    let busiest = data.lanes.dropFirst().max { counts[$0.thread, default: 0] < counts[$1.thread, default: 0] }
    return [main] + (busiest.map { [$0] } ?? [])
  }

  /// Transfers and requests; of a brief drawing requests alone, and those where there is more than one.
  private var spans: [(name: String, spans: [TimelineData.Span], style: String)] {
    let requests = (say("server: requests"), data.requests, "request")
    if let marks { return marks.hasRequests ? [requests] : [] }
    guard !isBrief else { return data.requests.count > 1 ? [requests] : [] }
    return [(say("library: transfers"), data.loads, "load"), requests]
  }

  private func draw(_ lane: TimelineData.Lane, _ top: Int) -> String {
    let track = top + Self.trackTop
    let ticks = Dictionary(grouping: data.ticks.filter { $0.thread == lane.thread }, by: \.callback)
    var svg = name(lane.label, top)
    svg += "<rect class=\"track\" x=\"0\" y=\"\(track)\" width=\"100%\" height=\"\(Self.trackHeight)\"/>"
    if lane.thread == data.lanes.first?.thread { svg += gaps(track) }
    for (kind, ticks) in ticks.sorted(by: { $0.key < $1.key }) where data.kinds.indices.contains(kind) {
      svg += draw(ticks, data.kinds[kind], lane, track)
    }
    return svg + (marks?.svg(lane, top: top, track: track, height: Self.trackHeight, axis, data) ?? "")
  }

  private func draw(
    _ ticks: [CallbackTick], _ kind: TimelineData.Kind, _ lane: TimelineData.Lane, _ track: Int
  ) -> String {
    let count = ticks.reduce(0) { $0 + $1.count }
    let place = kind.places["\(lane.thread)"].map { " · \($0)" } ?? ""
    let title = "<title>\(Markup.escaped("\(kind.name) · \(count)×\(place)"))</title>"
    let path = ticks.map { "M\(axis.units($0.instant)) 0V\(Self.trackHeight)" }.joined()
    let style = "k-\(kind.group.rawValue)"
    var svg = "<g class=\"\(style)\">\(title)"
    svg +=
      "<svg x=\"0\" y=\"\(track)\" width=\"100%\" height=\"\(Self.trackHeight)\" viewBox=\"0 0 \(TimeAxis.width) \(Self.trackHeight)\" preserveAspectRatio=\"none\"><path class=\"tick\" d=\"\(path)\"/></svg>"
    if kind.group.shape != nil {
      svg += ticks.map {
        "<use href=\"#\(style)\" x=\"\(axis.percent($0.instant))\" y=\"\(track)\"/>"
      }.joined()
    }
    return svg + "</g>"
  }

  private func name(_ text: String, _ top: Int) -> String {
    "<text class=\"lane\" x=\"0\" y=\"\(top + 12)\">\(Markup.escaped(text))</text>"
  }

  // MARK: - Stretches

  private func gaps(_ track: Int) -> String {
    data.gaps.filter { $0[0] <= axis.duration }.map { gap in
      let (x, width) = axis.extent(gap[0], gap[1])
      let title = say("main silent") + " · \(Figures.time(gap[0])) – \(Figures.time(gap[1]))"
      return
        "<rect class=\"gap\" x=\"\(x)\" y=\"\(track)\" width=\"\(width)\" height=\"\(Self.trackHeight)\"><title>\(Markup.escaped(title))</title></rect>"
    }.joined()
  }

  private func bands(to bottom: Int) -> String {
    let stretches = [(data.touch, "touch", say("touch")), (data.stop, "stop", say("process stopped"))]
    return stretches.map { stretch, style, label in
      guard let stretch else { return "" }
      let (x, width) = axis.extent(stretch[0], stretch[1])
      let title = "\(label) · \(Figures.time(stretch[0])) – \(Figures.time(stretch[1]))"
      return
        "<g class=\"\(style)\"><title>\(Markup.escaped(title))</title><rect x=\"\(x)\" y=\"0\" width=\"\(width)\" height=\"\(bottom)\"/><text class=\"band\" x=\"\(x)\" dx=\"4\" y=\"12\">\(Markup.escaped(label))</text></g>"
    }.joined()
  }

  private func scale(to bottom: Int) -> String {
    let marks = axis.marks.map { instant in
      let x = axis.percent(instant)
      let words = instant == 0 ? "0" : Figures.time(instant)
      return
        "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(bottom)\"/><text class=\"scale\" x=\"\(x)\" y=\"\(bottom + 14)\" text-anchor=\"\(instant == 0 ? "start" : "middle")\">\(words)</text>"
    }
    return marks.joined()
  }
}
