// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The bytes that had come until each moment, below an example's transfers: what the server had sent as a line, what callbacks
/// had given the program as an area. Where the line lies above the area, bytes wait on the way.
///
/// They are sums and no rates: a burst is a step, and flattens nothing beside it. The upper edge is the larger of both sums.
struct ByteDrawing {
  private static let height = 32

  private let sent: ByteFlow?
  private let given: ByteFlow
  private let axis: TimeAxis
  private let most: Int
  private let say: StringCatalogue

  /// The curves of an example; nil where callbacks gave nothing.
  init?(_ data: TimelineData, axis: TimeAxis, say: StringCatalogue) {
    guard let given = data.flow, !given.bytes.isEmpty else { return nil }
    (sent, self.given, self.axis, self.say) = (data.sent, given, axis, say)
    most = max(given.total, data.sent?.total ?? 0, 1)
  }

  /// The curves from `top` on, and how high they are; their words stand on the line of the lane's name.
  func svg(top: Int, name: Int) -> (svg: String, height: Int) {
    let sums: [Phrase] = [
      sent.map { "the server sent \(Figures.size($0.total))" } ?? .empty,
      "callbacks gave \(Figures.size(given.total))",
    ]
    let words = say(sums.joined(" · "))
    let title = say("bytes until then, as the server sent them (line) and as callbacks gave them (area)")
    let curves =
      "<path class=\"given\" d=\"\(path(given))V\(Self.height)H0z\"/>"
      + (sent.map { "<path class=\"sent\" d=\"\(path($0))\"/>" } ?? "")
    let svg =
      "<g><title>\(Markup.escaped(title))</title><svg x=\"0\" y=\"\(top)\" width=\"100%\" height=\"\(Self.height)\" viewBox=\"0 0 \(TimeAxis.width) \(Self.height)\" preserveAspectRatio=\"none\">\(curves)</svg></g>"
      + "<text class=\"level\" x=\"100%\" text-anchor=\"end\" y=\"\(name)\">\(Markup.escaped(words))</text>"
    return (svg, Self.height + 2)
  }

  /// The sums over time, up to the axis' end: level where nothing comes, a slope over each stretch in which the line rises.
  private func path(_ flow: ByteFlow) -> String {
    var path = "M0 \(Self.height)"
    var (sum, last, isLevel) = (0, Self.height, true)
    for (index, bytes) in flow.bytes.enumerated() {
      sum += bytes
      let y = Self.height - Int((Double(sum) / Double(most) * Double(Self.height)).rounded())
      isLevel = isLevel || bytes == 0
      guard y != last else { continue }
      if isLevel { path += "H\(axis.units(Double(index) * flow.width))" }
      path += "L\(axis.units(Double(index + 1) * flow.width)) \(y)"
      (last, isLevel) = (y, false)
    }
    return path + "H\(TimeAxis.width)"
  }
}
