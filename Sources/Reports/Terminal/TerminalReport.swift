// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The report of a run for a terminal: of each lesson first a table with a row for each example, then the claims, then
/// the examples with what the lesson is about, and on a wide terminal at last a line for each pair. Where examples were
/// repeated, the table has their medians, and a typical run of each stands for the others unless all was asked for.
///
/// It can be printed piece by piece while the run goes along: `head`, then `row` for each example as it ends, then
/// `rest`. `text` is all of it at once.
public struct TerminalReport {
  private let report: RunReport
  private let style: TextStyle
  private let isVerbose: Bool
  private let others: [ExampleResult]

  /// A report in `style`. Of `report` the machine, the date and S count for the pieces.
  ///
  /// - Parameters:
  ///   - isVerbose: whether every example is shown with all that was measured.
  ///   - others: examples of another report that a reader compares with these, on the same time scale.
  public init(_ report: RunReport, style: TextStyle, isVerbose: Bool = false, beside others: [ExampleResult] = []) {
    self.report = report
    self.others = others
    self.style = style
    self.isVerbose = isVerbose
  }

  /// The whole report, each line ended.
  public var text: String {
    report.lessons.map { lesson in
      let reported = ReportedLesson(lesson)
      let runs = lesson.runs
      let repetitions = runs.map(\.count).max() ?? 1
      if showsMedians(of: repetitions) {
        let rows = runs.indices.map { row(runs[$0], after: $0 > 0 ? runs[$0 - 1] : nil, of: reported) }
        return head(reported, repetitions: repetitions) + rows.joined() + rest(of: lesson)
      }
      var previous: ExampleResult?
      let rows = lesson.examples.map { example in
        defer { previous = example }
        return row(example, after: previous, of: reported)
      }
      return head(reported) + rows.joined() + rest(of: lesson)
    }.joined()
  }

  /// True if a run that repeats its examples so often has a row for all runs of an example, and not one for each.
  public func showsMedians(of repetitions: Int) -> Bool { repetitions > 1 && !isVerbose }

  /// The heading of a lesson, the circumstances and the head of its table.
  public func head(_ lesson: ReportedLesson, repetitions: Int = 1) -> String {
    var lines = [style.paint("\(lesson.id)  \(style.catalogue(lesson.title))", .heading)]
    lines += TextLayout.wrap(style.say(circumstances), style.width).map { style.paint($0, .faint) }
    if showsMedians(of: repetitions) {
      return style.finished(lines + MedianRows(lesson, style: style).head(of: repetitions))
    }
    return style.finished(lines + ["", HeadTable(lesson, style: style).head])
  }

  /// The row of an example all of whose runs have ended, after the row of `previous`.
  public func row(_ runs: RepeatedRuns, after previous: RepeatedRuns?, of lesson: ReportedLesson) -> String {
    style.finished(MedianRows(lesson, style: style).row(runs, after: previous))
  }

  /// The row of an example that has ended, after the row of `previous`; the second of a pair is drawn below the first.
  public func row(_ example: ExampleResult, after previous: ExampleResult?, of lesson: ReportedLesson) -> String {
    style.finished(HeadTable(lesson, style: style).row(example, after: previous))
  }

  /// Writes the part that follows the table: claims, checks, examples, pairs, and what the lesson is about with its figures.
  public func rest(of whole: LessonResult) -> String {
    let runs = whole.runs
    let most = runs.map(\.count).max() ?? 0
    let lesson = showsMedians(of: most) ? whole.condensed : whole
    var lines: [String] = []
    if lesson.incomplete {
      lines += ["", style.paint(style.say("Interrupted: not every example of this lesson has run."), .doubtful)]
    }
    let times = MedianRows(ReportedLesson(lesson), style: style)
    if most == 1 { lines += times.note }
    if most > 1, isVerbose { lines += times.table(of: runs) }
    lines += ClaimRows(lesson, style: style).lines
    lines += blocks(of: lesson, isTypical: showsMedians(of: most))
    var compared = lesson
    if showsMedians(of: most) { compared.examples = runs.map(\.median) }
    lines += PairRows(compared, style: style).lines
    if let subject = SubjectWords(compared) {
      lines += [""] + TextLayout.wrap(style.say(subject.phrase), style.width, indent: 2)
    }
    return style.finished(lines + [""])
  }

  private var circumstances: Phrase {
    let machine = report.machine
    let processors = Phrase.count(machine.processors, "processor")
    return
      "S = \(Figures.size(report.bodyBytes)) · \(report.started) · \(machine.system) · \(machine.architecture) · \(processors) · \(Figures.size(machine.memory)) of memory"
  }

  // MARK: - Examples

  /// Every example with what the lesson is about; all that was measured where it was asked for, or where the example did
  /// not end as its claims need it.
  private func blocks(of lesson: LessonResult, isTypical: Bool) -> [String] {
    let details = Set(lesson.shows)
    guard isVerbose || !details.isEmpty, !lesson.examples.isEmpty else { return [] }
    let title: Phrase = isTypical ? "The examples, each in the run whose time is the median" : "The examples"
    var lines = ["", style.paint(style.say(title), .heading), ""]
    let pairing = ExamplePairing(lesson)
    for row in pairing.rows {
      let time = (pairing.compared(with: row) + others).map(\.time.wall).max() ?? 0
      lines += draw(row, of: lesson, details, time) + [""]
    }
    let more: Phrase =
      isTypical
      ? "Every run with all that was measured: --verbose, or --json." : "All that was measured: --verbose, or --json."
    let names = lesson.examples.flatMap(\.pitfallNames)
    let hints =
      (isVerbose ? [] : [more])
      + names.prefix(1).map { "What is wrong with a pitfall, and its cure: workbench pitfalls \($0)" as Phrase }
    return lines + hints.flatMap { TextLayout.wrap(style.say($0), style.width) }.map { style.paint($0, .faint) }
  }

  /// One example, or the two of a pair beside each other where the terminal is wide enough.
  private func draw(
    _ row: [ExampleResult], of lesson: LessonResult, _ details: Set<LessonDetail>, _ time: Double
  ) -> [String] {
    let isBeside = row.count == 2 && style.width >= TextStyle.wide
    let columns = isBeside ? style.halfWidth : style.width
    let height = max(Sparkline.leastHeight, lesson.examples.map(\.memory.growth).max() ?? 0)
    let blocks = row.map { example in
      let setting = ExampleBlock.Setting(
        bodyBytes: report.bodyBytes, height: height, time: time, shows: details, isWhole: isVerbose, columns: columns,
        style: style)
      return ExampleBlock(example, setting).lines
    }
    guard isBeside else { return Array(blocks.joined(separator: [""])) }
    return TextLayout.sideBySide(
      blocks[0], blocks[1], columns: columns, between: style.paint(" │ ", .faint))
  }
}

/// The examples of a lesson in rows: the two of a pair together, every other one alone.
struct ExamplePairing {
  /// Rows of one or two examples, in the order in which they ran.
  let rows: [[ExampleResult]]

  init(_ lesson: LessonResult) {
    var rows: [[ExampleResult]] = []
    for example in lesson.examples {
      if let last = rows.last, last.count == 1,
        lesson.pairs.contains(where: { $0.connection == last[0].id && $0.session == example.id })
      {
        rows[rows.count - 1].append(example)
      } else {
        rows.append([example])
      }
    }
    self.rows = rows
  }

  /// The examples that those of `row` are compared with, on one time scale: the two of a pair with each other, and where no
  /// pair has run, as with --side or --example, all of them.
  func compared(with row: [ExampleResult]) -> [ExampleResult] {
    rows.allSatisfy { $0.count == 1 } ? rows.flatMap(\.self) : row
  }
}
