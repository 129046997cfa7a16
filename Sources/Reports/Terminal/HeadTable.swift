// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The table that a report begins with, a row for each example: the figure that the lesson is about, then end, time, peak,
/// where its callbacks came, requests. It can be printed row by row while the lesson runs, for its columns depend on the
/// lesson alone. Of examples that ran several times it has a row for all runs of each, with medians.
struct HeadTable {
  /// A column of the table.
  private enum Column: Equatable {
    /// A figure; in a table of medians its median.
    case figure(Metric)
    /// The least and the most of a figure over the runs of an example.
    case range(Metric)

    var width: Int {
      switch self {
      case .figure(let metric): metric.width
      case .range(.time): 13
      case .range: 16
      }
    }

    var title: Phrase {
      switch self {
      case .figure(let metric): metric.title
      case .range: "least–most"
      }
    }
  }

  private let pairs: [ExamplePair]
  private let nameWidth: Int
  /// True if there is room for the names with their sides. Where there is not, the colours and the blocks below tell them.
  private let showsSides: Bool
  private let columns: [Column]
  private let style: TextStyle

  /// A table with a row for each run, with the columns that there is room for.
  init(_ lesson: ReportedLesson, style: TextStyle) {
    let metrics = Metric.columns(
      about: lesson.subject, style.width < Self.wide ? Self.columns.dropLast() : Self.columns,
      showing: lesson.shows, in: style.width - Self.leastName)
    self.init(lesson, metrics.map(Column.figure), style)
  }

  /// A table with a row for each example that ran several times: the medians of those figures that have one, and how far the
  /// runs lie apart.
  init(mediansOf lesson: ReportedLesson, style: TextStyle) {
    var columns: [Column] = [.figure(.end), .figure(.time), .range(.time), .figure(.peak)]
    if style.width >= Self.wide { columns += [.range(.peak), .figure(.silence)] }
    while Self.width(of: columns) > style.width - Self.leastName, columns.count > 2 { columns.removeLast() }
    self.init(lesson, columns, style)
  }

  private init(_ lesson: ReportedLesson, _ columns: [Column], _ style: TextStyle) {
    (pairs, self.columns, self.style) = (lesson.pairs, columns, style)
    let room = style.width - Self.width(of: columns)
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

  private static func width(of columns: [Column]) -> Int { columns.reduce(0) { $0 + $1.width + 1 } }

  /// The head of the table.
  var head: String {
    let titles = columns.map { column in TextLayout.fill(style.say(column.title), column.width) }
    return style.paint((TextLayout.fill("", nameWidth) + " " + titles.joined(separator: " ")).trimmedEnd, .faint)
  }

  /// The row of a run. `partner` is the example before it, if the two are a pair: what differs stands out. The time of a single
  /// run is faint.
  func row(_ result: ExampleResult, after partner: ExampleResult?) -> [String] {
    row(result, after: partner, runs: nil)
  }

  /// The row of an example's runs in a table of medians, after those of the example before it.
  func row(_ runs: RepeatedRuns, after partner: RepeatedRuns?) -> [String] {
    row(runs.median, after: partner?.median, runs: runs)
  }

  private func row(_ result: ExampleResult, after partner: ExampleResult?, runs: RepeatedRuns?) -> [String] {
    let partner = partner.flatMap { isPair($0, result) ? $0 : nil }
    let name = (partner == nil ? "" : "└ ") + Self.name(result.id, showsSides, style)
    let cells = columns.map { column in
      switch column {
      case .figure(let metric): cell(metric, result, partner, runs)
      case .range(let metric): style.paint(TextLayout.fill(runs?.range(of: metric) ?? "", column.width), .faint)
      }
    }
    let shown = TextLayout.fill(TextLayout.shortened(name, nameWidth), nameWidth)
    let line = style.paint(shown, Paint.Role(result.side)) + " " + cells.joined(separator: " ")
    return [line.trimmedEnd] + difference(partner, result)
  }

  private func cell(
    _ metric: Metric, _ result: ExampleResult, _ partner: ExampleResult?, _ runs: RepeatedRuns?
  ) -> String {
    let text = metric.text(result, style)
    let filled = TextLayout.fill(text, metric.width)
    if metric == .end, let role = EndRole.of(result.outcome) {
      return style.paint(runs.map { end(text, $0) } ?? filled, role)
    }
    if metric == .end, let runs { return end(text, runs) }
    if metric.tellsFault(of: result) { return style.paint(filled, .bad) }
    let isOther = partner.map { metric.text($0, style) != text && metric.differs($0, result) } ?? false
    if isOther { return style.paint(filled, .heading) }
    return metric == .time && runs == nil ? style.paint(filled, .faint) : filled
  }

  /// The commonest end, and how many of the runs had it where not all did.
  private func end(_ text: String, _ runs: RepeatedRuns) -> String {
    let share = runs.sameEnd < runs.count ? " \(runs.sameEnd)/\(runs.count)" : ""
    let width = Metric.end.width
    return TextLayout.fill(TextLayout.shortened(text, width - share.count) + share, width)
  }

  /// Tells the work that one of a pair does beyond the common job.
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
