// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A figure of an example as a cell of a table.
extension Metric {
  /// The words above the cells.
  var title: Phrase {
    switch self {
    case .end: "end"
    case .error: "error"
    case .time: "time"
    case .peak: "peak"
    case .left: "left at end"
    case .callbacks: "callbacks"
    case .callbackCount: "callbacks in all"
    case .touchCallbacks: "in the touch"
    case .requests: "requests"
    case .credentials: "with credential"
    case .program: "X-Program"
    case .status: "status"
    case .sockets: "sockets"
    case .lastBody: "last received"
    case .silence: "main silent"
    case .product: "product"
    case .lastLine: "last line printed"
    }
  }

  /// The columns of a terminal that the cells need.
  var width: Int {
    switch self {
    case .time, .sockets, .status: 8
    case .requests: 9
    case .error, .peak: 10
    case .callbacks: 11
    case .left, .silence: 12
    case .touchCallbacks: 13
    case .lastBody, .program: 14
    case .end: 15
    case .callbackCount, .credentials: 17
    case .product: 19
    case .lastLine: 20
    }
  }

  /// The figure of `result`; a dash where it was not measured.
  func words(_ result: ExampleResult) -> Phrase {
    switch self {
    case .end: Self.end(result)
    case .error: result.outcome.error.map { Phrase(verbatim: "\($0.code)") } ?? "none"
    case .time: Phrase(verbatim: Figures.time(result.time.wall))
    case .peak: result.isMeasured ? Self.growth(result.memory.growth) : "-"
    case .left: result.left.map(Self.growth) ?? "-"
    case .callbacks, .callbackCount, .touchCallbacks: callbacks(result)
    case .requests: Phrase(verbatim: "\(result.traffic.requests)")
    case .credentials: Phrase(verbatim: "\(result.requests.count { $0.fields["authorization"] != nil })")
    case .program: program(result)
    case .status: result.requests.last?.status.map { Phrase(verbatim: "\($0)") } ?? "-"
    case .sockets: Phrase(verbatim: "\(result.traffic.sockets)")
    case .lastBody: result.requests.last.map { Phrase(verbatim: Figures.size($0.bodyBytes)) } ?? "-"
    case .silence: result.isMeasured ? Phrase(verbatim: Figures.time(result.mainThread.longestGap)) : "-"
    case .product: ProductWords(result.product)?.cell(after: result.outcome.kind) ?? "-"
    case .lastLine: result.printed.last { $0.instant != nil }.map { Phrase(verbatim: $0.text) } ?? "-"
    }
  }

  /// The figure of `result`, cut to the column's width.
  func text(_ result: ExampleResult, _ style: TextStyle) -> String {
    TextLayout.shortened(style.say(words(result)), width)
  }

  /// True if this figure tells what is wrong with what the example made: that cell alone is red, and none beside it.
  func tellsFault(of result: ExampleResult) -> Bool {
    guard let product = ProductWords(result.product) else { return false }
    return switch self {
    case .product: product.fault != nil
    case .end: result.outcome.kind == .finished && product.end != nil
    default: false
    }
  }

  /// These columns as far as they fit in `room`, the figure that a lesson is about before all others. The last give way, first
  /// those that the lesson does not show of every example anyway; the blocks of the examples have their figures.
  static func columns(
    about subject: Subject?, _ others: [Metric], showing details: [LessonDetail] = [], in room: Int
  ) -> [Metric] {
    let first = subject.map { [$0.metric] } ?? []
    var columns = first + others.filter { !first.contains($0) }
    let needed = first + [.end, .time] + details.compactMap(of)
    while width(of: columns) > room, columns.count > 1 {
      columns.remove(at: columns.lastIndex { !needed.contains($0) } ?? columns.count - 1)
    }
    return columns
  }

  /// The figure that sums up what a report shows of every example.
  private static func of(_ detail: LessonDetail) -> Metric? {
    switch detail {
    case .memory: .peak
    case .callbacks: .callbacks
    case .requests: .requests
    case .timeline: .silence
    case .threads, .loads, .printed: nil
    }
  }

  /// The columns of a terminal that these take, each with a space before it.
  static func width(of columns: [Metric]) -> Int { columns.reduce(0) { $0 + $1.width + 1 } }

  /// True if the figures of two examples whose words differ differ in kind or in amount, and not by noise.
  func differs(_ first: ExampleResult, _ second: ExampleResult) -> Bool {
    switch self {
    case .time: Self.isFar(first.time.wall, second.time.wall, floor: 0.05)
    case .peak: Self.isFar(Double(first.memory.growth), Double(second.memory.growth), floor: 4_194_304)
    case .left: Self.isFar(Double(first.left ?? 0), Double(second.left ?? 0), floor: 4_194_304)
    case .silence: Self.isFar(first.mainThread.longestGap, second.mainThread.longestGap, floor: 0.05)
    default: true
    }
  }

  private static func isFar(_ first: Double, _ second: Double, floor: Double) -> Bool {
    abs(first - second) > floor && max(first, second) > 2 * min(first, second)
  }

  private static func growth(_ bytes: Int) -> Phrase {
    Phrase(verbatim: (bytes < 0 ? "" : "+") + Figures.size(bytes))
  }

  private func callbacks(_ result: ExampleResult) -> Phrase {
    guard result.isMeasured else { return "-" }
    guard !result.hidesCallbacks else { return "not observed" }
    let known = result.callbacks.filter(\.implemented)
    return switch self {
    case .touchCallbacks: result.happenings.touch.map { Phrase(verbatim: "\($0.callbacks)") } ?? "-"
    case .callbackCount: Phrase(verbatim: "\(known.reduce(0) { $0 + $1.count })")
    default: PlaceWords.short(known.flatMap(\.places))
    }
  }

  /// Each value of the field X-Program in the order of its first request, such as `3× old`.
  private func program(_ result: ExampleResult) -> Phrase {
    let values = result.requests.map { $0.fields["x-program"] ?? "–" }
    let counted = values.enumerated().filter { values.firstIndex(of: $1) == $0 }.map { _, value in
      "\(values.count { $0 == value })× \(value)"
    }
    return counted.isEmpty ? "-" : Phrase(verbatim: counted.joined(separator: ", "))
  }

  /// The end in a word; a product that is not what it should be says so.
  private static func end(_ result: ExampleResult) -> Phrase {
    if result.outcome.kind == .finished, let spoilt = ProductWords(result.product)?.end { return spoilt }
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

  /// How far the resident memory lay above the baseline when the program printed its last line, or else ended; nil where
  /// no sample was taken. A program that returns releases its variables first: a sample from then on shows them gone.
  var left: Int? {
    let last = printed.last { $0.instant != nil }?.instant ?? time.wall
    return memory.curve.last { $0.instant <= min(last, time.wall) }.map { $0.bytes - memory.baseline }
  }
}

extension ExamplePair {
  /// Tells the work that one of the two does beyond the common job, for below a pair's row; none where both do the same.
  func differenceLines(_ style: TextStyle) -> [String] {
    guard !difference.isEmpty else { return [] }
    return TextLayout.wrap(style.say(difference), style.width - 4).map { "    " + style.paint($0, .faint) }
  }
}
