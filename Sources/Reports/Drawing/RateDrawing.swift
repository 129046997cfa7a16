// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Bytes a second as callbacks gave them, a stepped curve below an example's transfers. All curves of a figure have one
/// scale.
struct RateDrawing {
  private static let height = 24

  private let flow: ByteFlow
  private let axis: TimeAxis
  private let most: Double
  private let say: StringCatalogue

  /// A curve of the example's flow, which reaches the top at `most` bytes a second; nil where no bytes came.
  init?(_ data: TimelineData, most: Double, axis: TimeAxis, say: StringCatalogue) {
    guard let flow = data.flow, !flow.bytes.isEmpty, most > 0 else { return nil }
    (self.flow, self.most, self.axis, self.say) = (flow, most, axis, say)
  }

  /// The curve from `top` on, and how high it is; its words stand on the line of the lane's name.
  func svg(top: Int, name: Int) -> (svg: String, height: Int) {
    let rate = say.say("at most \(Figures.size(Int(flow.mostPerSecond))) a second")
    let svg =
      "<g><title>\(Markup.escaped(say("bytes a second, as callbacks gave them") + " · " + rate))</title><svg x=\"0\" y=\"\(top)\" width=\"100%\" height=\"\(Self.height)\" viewBox=\"0 0 \(TimeAxis.width) \(Self.height)\" preserveAspectRatio=\"none\"><path class=\"rate\" d=\"\(path)\"/></svg></g>"
      + "<text class=\"level\" x=\"100%\" text-anchor=\"end\" y=\"\(name)\">\(Markup.escaped(rate))</text>"
    return (svg, Self.height + 2)
  }

  private var path: String {
    var path = "M0 \(Self.height)"
    var last = Self.height
    for (index, bytes) in flow.bytes.enumerated() {
      let share = Double(bytes) / flow.width / most
      let y = Self.height - Int((share * Double(Self.height)).rounded())
      if y != last { path += "H\(axis.units(Double(index) * flow.width))V\(y)" }
      last = y
    }
    return path + "H\(axis.units(Double(flow.bytes.count) * flow.width))V\(Self.height)"
  }
}
