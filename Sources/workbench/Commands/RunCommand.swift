// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit
import Lessons
import Reports

/// `workbench run`
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run lessons, or a program of your own, and report what was measured.",
    discussion: """
      Each example runs in a process of its own against a lesson server on this machine; no network is used. Each result \
      is printed as soon as it is there; --json prints at the end.

      Examples:
        workbench run 5
        workbench run 9 --predict
        workbench run delegate-progress --side session --size 512MiB
        workbench run 5 --example delegate-main --repeat 5
        workbench run --all --json > report.json
        workbench run --all --jobs 2
        workbench run 5 --html lesson-05.html --trace lesson-05.json
        workbench run 5 --with-foundation
        workbench run mine.swift --size 1GiB
        workbench run mine.swift --beside 4

      A file of your own is Swift with “enum Exercise { static func run(_ app: ExampleContext) }”; it imports SessionAPI \
      or ConnectionAPI, and LessonKit. What is compiled is kept below XDG_CACHE_HOME. Exit status 2: the compiler \
      refuses it.
      """)

  @Argument(help: "The lessons: lesson-05, 05, 5 or delegate-progress; or one file.swift of your own.") var lessons:
    [String] = []
  @Flag(help: "Run every lesson that exists.") var all = false
  @Option(help: "Only this column: connection or session.") var side: Side?
  @Option(help: "Only this example, by its id or the part after the slash; may be given more than once.")
  var example: [String] = []
  @Option(help: "S, the size of the body, 1 B to 1 TiB: 10, 64KiB, 64MiB, 1GiB.", transform: ByteSize.init(argument:))
  var size = ByteSize(bytes: 64 << 20)
  @Option(
    name: .customLong("repeat"),
    help: "How often each example runs, 1 to 1000; medians are printed, with --verbose each run, too.",
    transform: Number.repetitions)
  var repetitions = 1
  @Option(
    help: """
      How many examples run at the same time, 1 to 64, where they mostly wait; one of which memory, processor time or \
      haste is judged runs alone.
      """, transform: Number.jobs) var jobs = 1
  @Option(
    help: """
      How long one example may take, 100 ms to 24 h: 30s, 500ms, 2m. Left out, 30s; an example of the toolchain’s then has \
      ten times as long as its twin took, 15s at the least.
      """, transform: TimeLimit.init(argument:)) var timeout: TimeLimit?
  @Option(help: "A lesson whose good example runs behind a program of your own, to be compared with it.")
  var beside: String?
  @Flag(help: "Show all that was measured of each example, not only what its lesson is about.") var verbose = false
  @Flag(help: "Ask what the lessons' questions let you expect, then run and compare.") var predict = false
  @Flag(help: "Run each Session example once more with the toolchain's own URLSession (FoundationNetworking).")
  var withFoundation = false
  @Flag(help: "Print the report as JSON.") var json = false
  @OptionGroup var pictures: PictureOptions
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  func validate() throws {
    if !all, lessons.isEmpty { throw ValidationError(say: "Name a lesson, such as 5, or give --all.") }
    if predict, json { throw ValidationError(say: "--predict talks with a person: leave --json away.") }
    try validateOwnFile()
  }

  func run() async throws {
    // The value of an option that does not exist looks like a lesson. The parser names such an option after validate().
    if all, !lessons.isEmpty { throw ValidationError(say: "Name lessons or give --all, not both.") }
    try await ExitStatus.guarding(terminal.messages) {
      try ClaimTable.check()
      let style = try terminal.style()
      let files = try pictures.files()
      let good = try goodExample()
      let (chosen, program) = try await prepared()
      try LessonCatalog.checkExamples(example, in: chosen)
      let predictions = try ask(chosen, style)
      // Both are drawn on one time scale, so the good example is measured first; it is printed behind.
      var other: LessonRun?
      if let good { other = try await measuredSilently(good) }
      let outcome = try await measured(chosen, in: program, style, files, beside: other)
      if let other {
        let report = TerminalReport(other.report, style: style, isVerbose: verbose, beside: outcome.report.examples)
        try pager.show(report.text)
      }
      let outcomes = [outcome] + (other.map { [$0] } ?? [])
      try Terminal.show(predictions.text(for: outcome.report))
      outcomes.flatMap(\.surprises).forEach(terminal.messages.tell)
      if !outcomes.allSatisfy(\.isAsExpected) { throw ExitStatus.notAsExpected }
    }
  }

  private func prepared() async throws -> (lessons: [Lesson], program: BuiltProgram?) {
    do {
      return try await programs()
    } catch let signal as Interrupted {
      if json { try Terminal.show(JSONReport.text(.nothing(options))) }
      terminal.messages.tell("interrupted before anything was measured")
      throw signal
    }
  }

  private func ask(_ lessons: [Lesson], _ style: TextStyle) throws -> Predictions {
    var predictions = Predictions(style)
    guard predict else { return predictions }
    try predictions.ask(lessons, read: { readLine() }, write: Terminal.show)
    if predictions.answered.isEmpty { terminal.messages.tell("None of these lessons asks a question.") }
    return predictions
  }

  var options: RunOptions {
    var options = RunOptions(
      bodyBytes: size.bytes, repetitions: repetitions, timeout: timeout?.duration ?? .seconds(30), side: side,
      examples: example)
    // A person who says how long has reasons.
    if timeout == nil { options.patience = .seconds(15) }
    options.jobs = jobs
    options.version = Version.text
    return options
  }

  /// Runs the lessons; when that breaks off, what was measured until then is shown first.
  private func measured(
    _ lessons: [Lesson], in program: BuiltProgram?, _ style: TextStyle, _ files: [PictureFile],
    beside other: LessonRun?
  ) async throws -> LessonRun {
    let options = options
    let printer = RunPrinter(
      style: style, pager: pager, isJSON: json, isVerbose: verbose, lessons: lessons.count, options,
      beside: other?.report.examples ?? [])
    let run: LessonRun
    do {
      run = try await Interruption.cancelling {
        try await Runner(
          program: program?.executable, places: program?.places, observer: preparing(printer.observer)
        ).run(lessons, options)
      }
    } catch {
      guard error is Interrupted || (error as? LessonKitError)?.code == .serverLost else { throw error }
      let report = try printer.breakOff()
      if !report.lessons.isEmpty { try write(files, report, style) }
      terminal.messages.tell(Self.sentence(on: report, of: lessons, options, isInterrupted: error is Interrupted))
      throw error
    }
    try printer.finish(run)
    try write(files, run.report, style)
    return run
  }

  /// Runs a lesson of which nothing is printed but how far it is.
  private func measuredSilently(_ lesson: Lesson) async throws -> LessonRun {
    let line = ProgressLine()
    var observer = RunObserver()
    observer.progress = { [messages = terminal.messages] in line.show(messages.catalogue($0.words)) }
    let (running, options) = (Runner(observer: observer), options)
    defer { line.clear() }
    do {
      return try await Interruption.cancelling { try await running.run([lesson], options) }
    } catch let signal as Interrupted {
      terminal.messages.tell("interrupted before anything was measured")
      throw signal
    }
  }

  /// Writes the pictures and says where they are.
  private func write(_ files: [PictureFile], _ report: RunReport, _ style: TextStyle) throws {
    for entry in files {
      try entry.file.write(entry.picture.text(of: report, style))
      terminal.messages.tell("written: \(entry.file.path)")
    }
  }

  /// How far a run came that broke off.
  private static func sentence(
    on report: RunReport, of lessons: [Lesson], _ options: RunOptions, isInterrupted: Bool
  ) -> Phrase {
    guard !report.lessons.isEmpty else {
      return isInterrupted ? "interrupted before anything was measured" : "nothing was measured"
    }
    let all = lessons.flatMap { lesson in
      let examples = Set(options.chosen(from: lesson).map(\.id))
      return lesson.claims.filter { $0.needs.allSatisfy(examples.contains) }.map(\.id)
    }
    let settled = report.lessons.flatMap(\.claims).filter { $0.verdict != .unsettled }.map(\.id)
    let count = lessons.reduce(0) { $0 + options.chosen(from: $1).count }
    let sum: Phrase =
      all.isEmpty
      ? "\(report.lessons.reduce(0) { $0 + $1.examples.count }) of \(Phrase.count(count, "example")) measured"
      : "\(Set(settled).count) of \(Phrase.count(Set(all).count, "claim")) settled"
    return isInterrupted ? "\(sum); interrupted" : "\(sum); this is what was measured until then"
  }
}

extension RunReport {
  /// The examples of all its lessons.
  fileprivate var examples: [ExampleResult] { lessons.flatMap(\.examples) }
}
