// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import LessonServer
import Lessons
import Locking
import Reports

/// `workbench run`
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run lessons and report what was measured and which claims hold.",
    discussion: """
      Each example runs in a process of its own against a lesson server on this machine; no network is used.

      Examples:
        workbench run 5
        workbench run delegate-progress --side session --size 512MiB
        workbench run 5 --example delegate-main --repeat 5
        workbench run --all --json > report.json
      """)

  @Argument(help: "The lessons: lesson-05, 05, 5 or delegate-progress.") var lessons: [String] = []
  @Flag(help: "Run every lesson that exists.") var all = false
  @Option(help: "Only this column: connection or session.") var side: Side?
  @Option(help: "Only this example, by its id or the part after the slash; may be given more than once.")
  var example: [String] = []
  @Option(help: "S, the size of the body: 10, 64KiB, 64MiB, 1GiB.") var size = ByteSize(bytes: 64 << 20)
  @Option(name: .customLong("repeat"), help: "How often each example runs, 1 to 1000.") var repetitions = 1
  @Option(help: "How long one example may take: 30s, 500ms, 2m.") var timeout = TimeLimit(duration: .seconds(30))
  @Flag(help: "Print the report as JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if all != lessons.isEmpty {
      throw ValidationError(all ? "Name lessons or give --all, not both." : "Name a lesson, such as 5, or give --all.")
    }
    guard (1...1000).contains(repetitions) else { throw ValidationError("--repeat must lie between 1 and 1000.") }
  }

  func run() async throws {
    try await ExitStatus.guarding {
      let chosen = try all ? Course.catalog.lessons : lessons.map(Course.catalog.lesson(named:))
      try LessonCatalog.checkExamples(example, in: chosen)
      let options = RunOptions(
        bodyBytes: size.bytes, repetitions: repetitions, timeout: timeout.duration, side: side, examples: example)
      let outcome = try await measured(chosen, options)
      try show(outcome)
      outcome.surprises.forEach { Terminal.tell("workbench: \($0)") }
      if !outcome.isAsExpected { throw ExitStatus.notAsExpected }
    }
  }

  /// Runs the lessons; when the person interrupts that, what was measured until then is shown first.
  private func measured(_ lessons: [Lesson], _ options: RunOptions) async throws -> LessonRun {
    let line = ProgressLine()
    let kept = Locked<LessonRun?>(nil)
    do {
      return try await Interruption.cancelling {
        defer { line.clear() }
        let runner = Runner(
          progress: { line.show($0.words) }, interrupted: { run in kept.withLock { $0 = run } })
        return try await runner.run(lessons, options)
      }
    } catch is CancellationError {
      if let run = kept.withLock({ $0 }) {
        try show(run)
        Terminal.tell("workbench: interrupted; this is what was measured until then")
      }
      throw ExitStatus.interrupted
    }
  }

  private func show(_ run: LessonRun) throws {
    guard !json else { return try Terminal.show(JSONReport.text(run.report)) }
    let summary =
      run.report.lessons.count > 1 ? RunSummary(run.report, surprises: run.surprises).text(style: terminal.style) : ""
    try Terminal.show(TerminalReport(run.report, style: terminal.style).text + summary)
  }
}

/// A size on the command line.
struct ByteSize: ExpressibleByArgument {
  var bytes: Int

  init(bytes: Int) {
    self.bytes = bytes
  }

  /// A size of 1 B to 1 TiB, or nil.
  init?(argument: String) {
    guard let count = try? ByteCount(parsing: argument), (1...(1 << 40)).contains(count.bytes) else { return nil }
    bytes = Int(count.bytes)
  }

  var defaultValueDescription: String { ByteCount(Int64(bytes)).description }
}

/// A time limit on the command line.
struct TimeLimit: ExpressibleByArgument {
  var duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  /// A whole number with ms, s or m, or alone for seconds, from 100 ms to a day; else nil.
  init?(argument: String) {
    let units: [(String, Int)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("", 1000)]
    let unit = units.first { argument.hasSuffix($0.0) } ?? ("", 1000)
    guard let number = Int(argument.dropLast(unit.0.count)), number <= 86_400_000 / unit.1,
      number * unit.1 >= 100
    else { return nil }
    duration = .milliseconds(number * unit.1)
  }

  var defaultValueDescription: String { "\(duration.components.seconds)s" }
}

extension RunProgress {
  /// One line for a terminal.
  fileprivate var words: String {
    let left = secondsLeft.map {
      " · \($0 < 90 ? "\(Int($0.rounded(.up))) s" : "\(Int(($0 / 60).rounded(.up))) min") left"
    }
    return "\(done + 1) of \(total) · \(lesson) \(example)\(left ?? "")"
  }
}
