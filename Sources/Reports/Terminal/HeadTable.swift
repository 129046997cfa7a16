// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The table that a report begins with, a row for each example: end, time, peak, where its callbacks came, requests. It
/// can be printed row by row while the lesson runs, for its columns depend on the lesson alone.
struct HeadTable {
  private struct Column {
    var title: Phrase
    var width: Int
  }

  private let pairs: [ExamplePair]
  private let nameWidth: Int
  private let columns: ArraySlice<Column>
  private let style: TextStyle

  init(names: [String], pairs: [ExamplePair], style: TextStyle) {
    self.pairs = pairs
    self.style = style
    // On a narrow terminal the last columns give way; the blocks below have their figures.
    var columns = style.width < Self.wide ? Self.columns.dropLast() : Self.columns[...]
    while Self.leastName + Self.width(of: columns) > style.width { columns.removeLast() }
    self.columns = columns
    let longest = names.map { TextLayout.width(Self.name($0, style)) + 2 }.max() ?? 0
    nameWidth = min(max(longest, 10), style.width - Self.width(of: columns))
  }

  private static let leastName = 18
  /// The columns of a terminal from which on the table says how long main was silent, too.
  private static let wide = 100
  private static let columns = [
    Column(title: "end", width: 15), Column(title: "time", width: 8), Column(title: "peak", width: 10),
    Column(title: "callbacks", width: 11), Column(title: "requests", width: 8), Column(title: "main silent", width: 12),
  ]
  private static func width(of columns: ArraySlice<Column>) -> Int { columns.reduce(0) { $0 + $1.width + 1 } }

  /// The head of the table.
  var head: String {
    let titles = columns.map { column in TextLayout.fill(style.say(column.title), column.width) }
    return style.paint((TextLayout.fill("", nameWidth) + " " + titles.joined(separator: " ")).trimmedEnd, .faint)
  }

  /// The row of an example. `partner` is the example before it, if the two are a pair: what differs stands out.
  func row(_ result: ExampleResult, after partner: ExampleResult?) -> [String] {
    let partner = partner.flatMap { isPair($0, result) ? $0 : nil }
    let name = (partner == nil ? "" : "└ ") + Self.name(result.id, style)
    let role = Paint.Role(result.side)
    let shown = TextLayout.width(name) > nameWidth ? TextLayout.cut(name, nameWidth - 1).0 + "…" : name
    let others = partner.map(cells)
    let cells = zip(columns.indices, cells(result)).map { index, text in
      let filled = TextLayout.fill(text, columns[index].width)
      if index == 0, let role = EndRole.of(result.outcome) { return style.paint(filled, role) }
      return others.map { $0[index] != text && differs(index, result, partner) } ?? false
        ? style.paint(filled, .heading) : filled
    }
    let line = style.paint(TextLayout.fill(shown, nameWidth), role) + " " + cells.joined(separator: " ")
    return [line.trimmedEnd] + difference(partner, result)
  }

  /// What one of a pair does beyond the common job.
  private func difference(_ first: ExampleResult?, _ second: ExampleResult) -> [String] {
    guard let first, let pair = pairs.first(where: { $0.connection == first.id && $0.session == second.id }),
      !pair.difference.isEmpty
    else { return [] }
    return TextLayout.wrap(style.say(pair.difference), style.width - 4).map { "    " + style.paint($0, .faint) }
  }

  private func isPair(_ first: ExampleResult, _ second: ExampleResult) -> Bool {
    pairs.contains { $0.connection == first.id && $0.session == second.id }
      || (first.side == .session && second.side == .foundation && Self.plainName(first.id) == Self.plainName(second.id))
  }

  private func cells(_ result: ExampleResult) -> [String] {
    let places = result.callbacks.filter(\.implemented).flatMap(\.places)
    return [
      style.say(Self.end(result)), Figures.time(result.time.wall),
      result.isMeasured ? "+" + Figures.size(result.memory.growth) : "-",
      style.say(Self.callbacks(result, places)), "\(result.traffic.requests)",
      result.isMeasured ? Figures.time(result.mainThread.longestGap) : "-",
    ]
  }

  private static func callbacks(_ result: ExampleResult, _ places: [PlaceCount]) -> Phrase {
    guard result.isMeasured else { return "-" }
    return result.hidesCallbacks ? "not observed" : PlaceWords.short(places)
  }

  /// Whether a difference is one of kind or of amount, and not of noise.
  private func differs(_ column: Int, _ result: ExampleResult, _ partner: ExampleResult?) -> Bool {
    guard let partner else { return false }
    func far(_ first: Double, _ second: Double, floor: Double) -> Bool {
      abs(first - second) > floor && max(first, second) > 2 * min(first, second)
    }
    return switch column {
    case 1: far(result.time.wall, partner.time.wall, floor: 0.05)
    case 2: far(Double(result.memory.growth), Double(partner.memory.growth), floor: 4_194_304)
    case 5: far(result.mainThread.longestGap, partner.mainThread.longestGap, floor: 0.05)
    default: true
    }
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

  /// The part behind the slash. An example of the toolchain's column stands below its twin and says only whose it is.
  private static func name(_ id: String, _ style: TextStyle) -> String {
    guard !id.hasPrefix(Side.foundation.rawValue + "/") else { return style.say("the toolchain’s") }
    return plainName(id)
  }

  private static func plainName(_ id: String) -> String { String(id.drop { $0 != "/" }.dropFirst()) }
}
