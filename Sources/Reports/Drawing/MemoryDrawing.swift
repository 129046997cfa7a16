// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A memory curve over the time axis, with the baseline, the peak, and S above the baseline as lines. All curves of a
/// lesson have one scale.
struct MemoryDrawing {
  /// The bytes between which all curves of a lesson lie, seen from each one's baseline.
  struct Scale {
    /// Bytes below the baseline, at most 0.
    var low: Int
    /// Bytes above the baseline.
    var high: Int
    /// S, which is always in sight.
    var bodyBytes: Int

    init(_ examples: [ExampleResult], bodyBytes: Int, allowed: Int = 0) {
      let measured = examples.map(\.memory).filter { $0.peak > 0 }
      let above = measured.flatMap { memory in [memory.growth] + memory.curve.map { $0.bytes - memory.baseline } }
      low = min(0, above.min() ?? 0)
      high = max(1 << 20, bodyBytes, allowed, above.max() ?? 0)
      self.bodyBytes = bodyBytes
    }
  }

  /// Where a line's label stands: labels of lines at one height must not cover each other.
  private enum Anchor: String {
    case start, middle, end

    var x: String {
      switch self {
      case .start: "0"
      case .middle: "50%"
      case .end: "100%"
      }
    }
  }

  private static let labelHeight = 16
  private static let leastRoom = 14.0

  private let data: TimelineData
  private let scale: Scale
  private let axis: TimeAxis
  private let say: StringCatalogue
  /// Pixels from the curve's lower to its upper edge.
  private let height: Int
  /// The bytes above the baseline that a check allows, and whether at the end alone; nil for no such line.
  private let allowed: (bytes: Int, atEnd: Bool)?

  init(
    _ data: TimelineData, scale: Scale, axis: TimeAxis, say: StringCatalogue, height: Int = 84,
    allowed: (bytes: Int, atEnd: Bool)? = nil
  ) {
    self.allowed = allowed
    self.data = data
    self.height = height
    self.scale = scale
    self.axis = axis
    self.say = say
  }

  /// The curve from `top` on, and how high it is.
  func svg(top: Int) -> (svg: String, height: Int) {
    let name = "<text class=\"lane\" x=\"0\" y=\"\(top + 12)\">\(Markup.escaped(say(title)))</text>"
    guard data.peak > 0 else { return (name, Self.labelHeight + 4) }
    let base = top + Self.labelHeight
    let lines = [
      line("baseline", data.baseline, base, say.say("before: \(Figures.size(data.baseline))"), .start),
      scale.bodyBytes == 0 ? "" : line("body", data.baseline + scale.bodyBytes, base, "S", .middle),
      line("peak", data.peak, base, say.say("at most: \(Figures.size(data.peak))"), .end),
    ]
    return (name + limit(base) + curve(base) + lines.joined() + words(base), Self.labelHeight + height + 4)
  }

  /// The line that a check draws, and above it what the check does not allow.
  private func limit(_ base: Int) -> String {
    guard let allowed else { return "" }
    let stretch = allowed.atEnd ? "x=\"75%\" width=\"25%\"" : "x=\"0\" width=\"100%\""
    let y = self.y(data.baseline + allowed.bytes)
    return "<rect class=\"beyond\" \(stretch) y=\"\(base)\" height=\"\(Self.figure(y))\"/>"
      + "<rect class=\"allowed\" \(stretch) y=\"\(Self.figure(Double(base) + y - 1))\" height=\"2\"/>"
  }

  /// The value of the line that a check draws; below the line where there is no room above it.
  private func words(_ base: Int) -> String {
    guard let allowed else { return "" }
    let y = self.y(data.baseline + allowed.bytes)
    let size = "+" + Figures.size(allowed.bytes)
    let words: Phrase = allowed.atEnd ? "allowed at the end: \(size)" : "allowed: \(size)"
    let top = Self.figure(Double(base) + (y < Self.leastRoom ? y + Self.leastRoom : y - 4))
    return
      "<text class=\"level limit\" x=\"50%\" text-anchor=\"middle\" y=\"\(top)\">\(Markup.escaped(say(words)))</text>"
  }

  private var title: Phrase { data.peak > 0 ? "memory" : "memory: not measured" }

  private func curve(_ base: Int) -> String {
    guard let first = data.curve.first, let last = data.curve.last else { return "" }
    // A stretch at one tenth of a pixel needs no points between its ends.
    let points = data.curve.withoutMiddles { Self.figure(y($0.bytes)) }
      .map { "\(axis.units($0.instant)) \(Self.figure(y($0.bytes)))" }
    let line = "M" + points.joined(separator: "L")
    let floor = Self.figure(y(data.baseline))
    let area = "\(line)L\(axis.units(last.instant)) \(floor)L\(axis.units(first.instant)) \(floor)Z"
    return
      "<svg x=\"0\" y=\"\(base)\" width=\"100%\" height=\"\(height)\" viewBox=\"0 0 \(TimeAxis.width) \(height)\" preserveAspectRatio=\"none\"><path class=\"area\" d=\"\(area)\"/><path class=\"curve\" d=\"\(line)\"/></svg>"
  }

  private func line(_ style: String, _ bytes: Int, _ base: Int, _ label: String, _ anchor: Anchor) -> String {
    let y = Self.figure(Double(base) + self.y(bytes))
    let text = Self.figure(Double(base) + self.y(bytes) - 4)
    let place = "x=\"\(anchor.x)\" text-anchor=\"\(anchor.rawValue)\""
    return
      "<line class=\"\(style)\" x1=\"0\" x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/><text class=\"level\" \(place) y=\"\(text)\">\(Markup.escaped(label))</text>"
  }

  /// Pixels below the curve's upper edge.
  private func y(_ bytes: Int) -> Double {
    let range = Double(scale.high - scale.low)
    return (1 - Double(bytes - data.baseline - scale.low) / range) * Double(height)
  }

  private static func figure(_ pixels: Double) -> String { "\((pixels * 10).rounded() / 10)" }
}
