// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A figure of an example as a cell of a table.
enum ExampleCell {
  case end, time, peak, callbacks, requests, silence

  /// The words above the cells.
  var title: Phrase {
    switch self {
    case .end: "end"
    case .time: "time"
    case .peak: "peak"
    case .callbacks: "callbacks"
    case .requests: "requests"
    case .silence: "main silent"
    }
  }

  /// The columns of a terminal that the cells need.
  var width: Int {
    switch self {
    case .end: 15
    case .time, .requests: 8
    case .peak: 10
    case .callbacks: 11
    case .silence: 12
    }
  }

  /// The figure of `result`; a dash where it was not measured.
  func words(_ result: ExampleResult) -> Phrase {
    switch self {
    case .end: Self.end(result)
    case .time: Phrase(verbatim: Figures.time(result.time.wall))
    case .peak: result.isMeasured ? Phrase(verbatim: "+" + Figures.size(result.memory.growth)) : "-"
    case .callbacks: Self.callbacks(result)
    case .requests: Phrase(verbatim: "\(result.traffic.requests)")
    case .silence: result.isMeasured ? Phrase(verbatim: Figures.time(result.mainThread.longestGap)) : "-"
    }
  }

  /// Whether the figures of two examples whose words differ differ in kind or in amount, and not by noise.
  func differs(_ first: ExampleResult, _ second: ExampleResult) -> Bool {
    switch self {
    case .time: Self.isFar(first.time.wall, second.time.wall, floor: 0.05)
    case .peak: Self.isFar(Double(first.memory.growth), Double(second.memory.growth), floor: 4_194_304)
    case .silence: Self.isFar(first.mainThread.longestGap, second.mainThread.longestGap, floor: 0.05)
    case .end, .callbacks, .requests: true
    }
  }

  private static func isFar(_ first: Double, _ second: Double, floor: Double) -> Bool {
    abs(first - second) > floor && max(first, second) > 2 * min(first, second)
  }

  private static func callbacks(_ result: ExampleResult) -> Phrase {
    guard result.isMeasured else { return "-" }
    let places = result.callbacks.filter(\.implemented).flatMap(\.places)
    return result.hidesCallbacks ? "not observed" : PlaceWords.short(places)
  }

  /// The end in a word; a product that is not what it should be says so.
  private static func end(_ result: ExampleResult) -> Phrase {
    if result.outcome.kind == .finished, let product = result.product, product.comparison != .equal {
      return switch (product.kind, product.comparison) {
      case (.file, .missing): "no file"
      case (.file, _): "file spoilt"
      case (.line, _): "other output"
      case (_, .missing): "no body"
      default: "other bytes"
      }
    }
    return switch result.outcome.kind {
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .noEnd: "no end"
    case .timedOut: "time limit"
    case .crashed: "crashed"
    case .notCompiled: "not compiled"
    }
  }
}

extension ExampleResult {
  /// The part of its id behind the slash.
  var name: String { Self.name(ofID: id) }

  /// The part of an example's id behind the slash.
  static func name(ofID id: String) -> String { String(id.drop { $0 != "/" }.dropFirst()) }
}

extension ExamplePair {
  /// What one of the two does beyond the common job, for below a pair's row; none where both do the same.
  func differenceLines(_ style: TextStyle) -> [String] {
    guard !difference.isEmpty else { return [] }
    return TextLayout.wrap(style.say(difference), style.width - 4).map { "    " + style.paint($0, .faint) }
  }
}
