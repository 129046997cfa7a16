// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The report of a run for a terminal: Connection beside Session where the terminal is wide enough, else one below the
/// other, then the claims.
public struct TerminalReport {
  private let report: RunReport
  private let style: TextStyle
  private let paint: Paint

  /// A report of `report` in `style`.
  public init(_ report: RunReport, style: TextStyle) {
    self.report = report
    self.style = style
    paint = style.paint
  }

  /// The whole report, each line ended.
  public var text: String {
    let lines = report.lessons.flatMap(lines(for:))
    return lines.map { $0.trimmedEnd + "\n" }.joined()
  }

  private func lines(for lesson: LessonResult) -> [String] {
    var lines = [paint("\(lesson.id)  \(lesson.title)", .heading)]
    lines += TextLayout.wrap(circumstances, style.width).map { paint($0, .faint) }
    lines.append("")
    lines += style.width >= TextStyle.wide ? beside(lesson.examples) : stacked(lesson.examples)
    return lines + ClaimRows(lesson.claims, columns: style.width, paint: paint).lines + [""]
  }

  private var circumstances: String {
    let machine = report.machine
    return "S = \(Figures.size(report.bodyBytes)) · \(report.started) · \(machine.system) · \(machine.architecture) · "
      + Figures.count(machine.processors, "processor") + " · \(Figures.size(machine.memory)) of memory"
  }

  // MARK: - Examples

  private func stacked(_ examples: [ExampleResult]) -> [String] {
    interleaved(examples).flatMap { block($0, style.width) + [""] }
  }

  /// Rows of two: Connection left, Session right; when one column has ended the other goes on in both.
  private func beside(_ examples: [ExampleResult]) -> [String] {
    let columns = (style.width - 3) / 2
    let sides = split(examples)
    let paired = min(sides.connection.count, sides.session.count)
    var rows = (0..<paired).map { (sides.connection[$0], Optional(sides.session[$0])) }
    let rest = Array(sides.connection[paired...]) + Array(sides.session[paired...])
    rows += stride(from: 0, to: rest.count, by: 2).map { (rest[$0], $0 + 1 < rest.count ? rest[$0 + 1] : nil) }
    return rows.flatMap { left, right in
      TextLayout.sideBySide(
        block(left, columns), right.map { block($0, columns) } ?? [], columns: columns, between: paint(" │ ", .faint))
        + [""]
    }
  }

  /// Connection and Session in turn, then what is left of either.
  private func interleaved(_ examples: [ExampleResult]) -> [ExampleResult] {
    let sides = split(examples)
    return (0..<max(sides.connection.count, sides.session.count)).flatMap { index in
      [sides.connection, sides.session].compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  private func split(_ examples: [ExampleResult]) -> (connection: [ExampleResult], session: [ExampleResult]) {
    (examples.filter { $0.side == .connection }, examples.filter { $0.side != .connection })
  }

  private func block(_ example: ExampleResult, _ columns: Int) -> [String] {
    ExampleBlock(example, bodyBytes: report.bodyBytes, columns: columns, paint: paint).lines
  }
}
