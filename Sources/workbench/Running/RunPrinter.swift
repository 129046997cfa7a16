// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Locking
import Reports

/// Prints the report of a run piece by piece while it goes along, or as JSON at its end.
///
/// Each example has its row when it has ended, with all its repetitions where it is repeated, each lesson its rest when its
/// last example has. Of a run of one lesson the rest waits for the run's end, since a pager may show it.
final class RunPrinter: Sendable {
  private struct State {
    var report: RunReport?
    var previous: ExampleResult?
    /// The lesson that runs.
    var lesson: ReportedLesson?
    /// The runs of the example that is being repeated, and those of the one before it.
    var runs: [ExampleResult] = []
    var previousRuns: RepeatedRuns?
    var rest = ""
    /// The part of the run that was measured when it broke off.
    var broken: LessonRun?
    /// Why nothing more can be printed.
    var failure: (any Error)?
  }

  private let style: TextStyle
  private let pager: PagerOptions
  private let isJSON: Bool
  private let isVerbose: Bool
  private let isSingle: Bool
  private let options: RunOptions
  private let others: [ExampleResult]
  private let line = ProgressLine()
  private let state = Locked(State())

  /// A printer for a run of `lessons` lessons, whose examples a reader compares with `others`.
  init(
    style: TextStyle, pager: PagerOptions, isJSON: Bool, isVerbose: Bool, lessons: Int, _ options: RunOptions,
    beside others: [ExampleResult] = []
  ) {
    self.others = others
    self.style = style
    self.pager = pager
    self.isJSON = isJSON
    self.isVerbose = isVerbose
    self.options = options
    isSingle = lessons == 1
  }

  /// The observer that hears of the run.
  var observer: RunObserver {
    var observer = RunObserver()
    observer.progress = { [self] in line.show(style.catalogue($0.words)) }
    observer.interrupted = { [self] run in state.withLock { $0.broken = run } }
    observer.began = { [self] report in state.withLock { $0.report = report } }
    guard !isJSON else { return observer }
    observer.lessonBegan = { [self] in begin($0) }
    observer.ended = { [self] in printRow($0, $1) }
    observer.lessonEnded = { [self] in printRest($0) }
    return observer
  }

  /// Prints what is left after a whole run.
  ///
  /// - Throws: `ExitCode` when standard output takes no more.
  func finish(_ run: LessonRun) throws {
    line.clear()
    guard !isJSON else { return try Terminal.show(JSONReport.text(run.report)) }
    let (rest, failure) = state.withLock { ($0.rest, $0.failure) }
    if let failure { throw failure }
    if isSingle { return try pager.show(rest) }
    try Terminal.show(RunSummary(run.report, surprises: run.surprises).text(style: style))
  }

  /// Prints what is left after a run that broke off, and answers what was measured until then.
  ///
  /// - Throws: `ExitCode` when standard output takes no more.
  func breakOff() throws -> RunReport {
    line.clear()
    let (state, failure) = state.withLock { ($0, $0.failure) }
    if let failure { throw failure }
    var report = state.broken?.report ?? state.report ?? .nothing(options)
    report.partial = true
    if isJSON {
      try Terminal.show(JSONReport.text(report))
    } else if isSingle {
      try Terminal.show(state.rest)
    } else if let run = state.broken, !report.lessons.isEmpty {
      try Terminal.show(RunSummary(report, surprises: run.surprises).text(style: style))
    }
    return report
  }

  // MARK: - Pieces

  private func begin(_ lesson: Lesson) {
    let report = state.withLock { state in
      (state.previous, state.runs, state.previousRuns) = (nil, [], nil)
      state.lesson = reported(lesson)
      return state.report
    }
    guard let report else { return }
    show(renderer(report).head(reported(lesson), repetitions: options.repetitions))
  }

  private func printRow(_ lesson: Lesson, _ result: ExampleResult) {
    let (report, previous) = state.withLock { state in
      defer { state.previous = result }
      return (state.report, state.previous)
    }
    guard let report else { return }
    let renderer = renderer(report)
    guard renderer.showsMedians(of: options.repetitions) else {
      return show(renderer.row(result, after: previous, of: reported(lesson)))
    }
    // A run that broke off may have left out the last repetitions of an example.
    if state.withLock({ $0.runs.last.map { $0.id != result.id } ?? false }) { printRuns(renderer) }
    let count = state.withLock { state in
      state.runs.append(result)
      return state.runs.count
    }
    if count >= options.repetitions { printRuns(renderer) }
  }

  /// Prints the row of an example that was repeated; nothing where its row is printed already.
  private func printRuns(_ renderer: TerminalReport) {
    let (runs, previous, lesson) = state.withLock { state in
      let (runs, previous) = (RepeatedRuns(state.runs), state.previousRuns)
      state.runs = []
      if let runs { state.previousRuns = runs }
      return (runs, previous, state.lesson)
    }
    if let runs, let lesson { show(renderer.row(runs, after: previous, of: lesson)) }
  }

  private func printRest(_ result: LessonResult) {
    guard let report = state.withLock({ $0.report }) else { return }
    printRuns(renderer(report))
    let rest = renderer(report).rest(of: result)
    if isSingle { state.withLock { $0.rest = rest } } else { show(rest) }
  }

  private func renderer(_ report: RunReport) -> TerminalReport {
    TerminalReport(report, style: style, isVerbose: isVerbose, beside: others)
  }

  private func reported(_ lesson: Lesson) -> ReportedLesson {
    ReportedLesson(lesson, examples: options.chosen(from: lesson).map(\.id))
  }

  /// Prints a piece; when standard output takes no more, the run has nothing left to do.
  private func show(_ text: String) {
    line.clear()
    do {
      try Terminal.show(text)
    } catch {
      state.withLock { $0.failure = error }
      withUnsafeCurrentTask { $0?.cancel() }
    }
  }
}

extension RunReport {
  /// A report of a run that broke off before it began.
  static func nothing(_ options: RunOptions) -> RunReport {
    var report = RunReport(
      machine: .current(), started: Date.now.formatted(.iso8601), bodyBytes: options.bodyBytes, lessons: [])
    report.partial = true
    report.version = options.version
    return report
  }
}
