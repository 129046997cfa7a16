// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The time axis that the examples of a figure share: from the start to the last thing that one of them shows.
struct TimeAxis {
  /// Units of the axis' whole width within a drawing.
  static let width = 10_000
  /// How many places side by side a reader can tell apart; ticks and curves are thinned to them.
  static let places = 1000

  /// Seconds from end to end.
  let duration: Double

  init(_ examples: [ExampleResult]) {
    duration = max(examples.map(Self.end).max() ?? 0, 0.000_001)
  }

  /// When the last thing happened that has to be seen: the end, a late callback, the tallest point of the memory curve.
  private static func end(of example: ExampleResult) -> Double {
    let last = example.callbacks.filter(\.implemented).map(\.last).max() ?? 0
    let tallest = example.memory.curve.max { $0.bytes < $1.bytes }?.instant ?? 0
    let happened = [example.happenings.touch?.stretch.ended, example.happenings.stop?.ended].compactMap { $0 }.max()
    return max(example.time.wall, last, tallest, happened ?? 0)
  }

  /// The instant in units, at most the axis' width.
  func units(_ instant: Double) -> Int {
    Int((min(max(instant / duration, 0), 1) * Double(Self.width)).rounded())
  }

  /// The instant's place among those that a reader can tell apart.
  func place(_ instant: Double) -> Int { units(instant) * Self.places / Self.width }

  /// The instant as a share of the drawing's width, such as `12.34%`.
  func percent(_ instant: Double) -> String { Self.percent(of: Double(units(instant)) / Double(Self.width)) }

  /// A share of a drawing's width, such as `12.34%`.
  static func percent(of share: Double) -> String { String(format: "%.2f%%", 100 * share) }

  /// Begin and width in units of what lasts from one instant to another; wide enough to be seen.
  func bar(_ began: Double, _ ended: Double) -> (x: Int, width: Int) {
    let first = units(began)
    return (first, max(units(ended) - first, Self.leastWidth))
  }

  /// The same as shares of the drawing's width.
  func extent(_ began: Double, _ ended: Double) -> (x: String, width: String) {
    (percent(began), "\(Double(bar(began, ended).width) / 100)%")
  }

  private static let leastWidth = 15

  /// Round instants for the scale, four to eight of them, the first one 0.
  var marks: [Double] {
    let rough = duration / 5
    let power = pow(10, floor(log10(rough)))
    let step = [1.0, 2, 5, 10].first { $0 * power >= rough } ?? 10
    return Array(stride(from: 0, through: duration * 0.97, by: step * power))
  }
}

extension [CallbackTick] {
  /// The ticks with those of one kind and thread joined that a reader cannot tell apart.
  func thinned(to axis: TimeAxis) -> [CallbackTick] {
    var joined: [CallbackTick] = []
    var last: [[Int]: Int] = [:]
    for tick in sorted(by: { $0.instant < $1.instant }) {
      let place = [tick.callback, tick.thread, axis.place(tick.instant)]
      if let known = last[place] {
        joined[known].count += tick.count
      } else {
        last[place] = joined.count
        joined.append(tick)
      }
    }
    return joined
  }
}

extension [CurvePoint] {
  /// The curve up to the axis' end, of each stretch that a reader sees as one place the highest point: the tallest of
  /// all stays. Of points at one height that follow each other the first and the last draw the same line.
  func thinned(to axis: TimeAxis) -> [CurvePoint] {
    var points: [CurvePoint] = []
    var last = -1
    for point in self where point.instant <= axis.duration {
      let place = axis.place(point.instant) / 2
      if place == last, let before = points.last {
        if point.bytes > before.bytes { points[points.count - 1] = point }
      } else {
        points.append(point)
      }
      last = place
    }
    return points.withoutMiddles { $0.bytes }
  }

  /// The points without those that have the same height as the one before and the one behind.
  func withoutMiddles(_ height: (CurvePoint) -> some Equatable) -> [CurvePoint] {
    enumerated().filter { index, point in
      guard index > 0, index < count - 1 else { return true }
      let own = height(point)
      return own != height(self[index - 1]) || own != height(self[index + 1])
    }.map(\.element)
  }
}
