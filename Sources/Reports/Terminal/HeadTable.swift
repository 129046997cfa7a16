// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The table that a report begins with, a row for each example: the figure that the lesson is about, then end, time, peak,
/// where its callbacks came, requests. It can be printed row by row while the lesson runs, for its columns depend on the
/// lesson alone.
struct HeadTable {
  private let pairs: [ExamplePair]
  private let nameWidth: Int
  /// Whether there is room for the names with their sides. Where there is not, the colours and the blocks below tell them.
  private let showsSides: Bool
  private let columns: [Metric]
  private let style: TextStyle

  /// A table with the columns that are wanted, as far as there is room.
  init(_ lesson: ReportedLesson, columns wanted: [Metric] = Self.columns, style: TextStyle) {
    pairs = lesson.pairs
    self.style = style
    columns = Metric.columns(
      about: lesson.subject, style.width < Self.wide ? wanted.dropLast() : wanted,
      showing: lesson.shows, in: style.width - Self.leastName)
    let room = style.width - Metric.width(of: columns)
    func longest(_ showsSides: Bool) -> Int {
      lesson.examples.map { TextLayout.width(Self.name($0, showsSides, style)) + 2 }.max() ?? 0
    }
    showsSides = longest(true) <= room
    nameWidth = min(max(longest(showsSides), 10), room)
  }

  private static let leastName = 18
  /// The columns of a terminal from which on the table says how long main was silent, too.
  private static let wide = 100
  private static let columns: [Metric] = [.end, .time, .peak, .callbacks, .requests, .silence]

  /// The head of the table.
  var head: String {
    let titles = columns.map { column in TextLayout.fill(style.say(column.title), column.width) }
    return style.paint((TextLayout.fill("", nameWidth) + " " + titles.joined(separator: " ")).trimmedEnd, .faint)
  }

  /// The row of an example. `partner` is the example before it, if the two are a pair: what differs stands out. The time of a
  /// single run is faint; a median is not.
  func row(_ result: ExampleResult, after partner: ExampleResult?, isMedian: Bool = false) -> [String] {
    let partner = partner.flatMap { isPair($0, result) ? $0 : nil }
    let name = (partner == nil ? "" : "└ ") + Self.name(result.id, showsSides, style)
    let role = Paint.Role(result.side)
    let shown = TextLayout.shortened(name, nameWidth)
    let cells = columns.map { cell in
      let text = cell.text(result, style)
      let filled = TextLayout.fill(text, cell.width)
      if cell == .end, let role = EndRole.of(result.outcome) { return style.paint(filled, role) }
      let isOther = partner.map { cell.text($0, style) != text && cell.differs($0, result) } ?? false
      if isOther { return style.paint(filled, .heading) }
      return cell == .time && !isMedian ? style.paint(filled, .faint) : filled
    }
    let line = style.paint(TextLayout.fill(shown, nameWidth), role) + " " + cells.joined(separator: " ")
    return [line.trimmedEnd] + difference(partner, result)
  }

  /// What one of a pair does beyond the common job.
  private func difference(_ first: ExampleResult?, _ second: ExampleResult) -> [String] {
    let pair = pairs.first { $0.connection == first?.id && $0.session == second.id }
    return pair?.differenceLines(style) ?? []
  }

  private func isPair(_ first: ExampleResult, _ second: ExampleResult) -> Bool {
    pairs.contains { $0.connection == first.id && $0.session == second.id }
      || (first.side == .session && second.side == .foundation && first.name == second.name)
  }

  /// The id, or the part behind the slash. An example of the toolchain's column stands below its twin and says only whose it is.
  private static func name(_ id: String, _ withSide: Bool, _ style: TextStyle) -> String {
    guard !id.hasPrefix(Side.foundation.rawValue + "/") else { return style.say("the toolchain’s") }
    return withSide ? id : ExampleResult.name(ofID: id)
  }
}
