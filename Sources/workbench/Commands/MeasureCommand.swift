// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import LessonKit
import Measuring
import Pitfalls
import Reports

/// `workbench measure`
struct MeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Run a program that links the libraries, and report its loads and its pitfalls.",
    discussion: """
      The program runs as it is: it has this terminal, and its exit status becomes this command's. The report comes on \
      standard error when it has ended. Values of header fields are never told.

      Examples:
        workbench measure -- .build/debug/mytool --flag
        workbench measure --json report.json -- swift test --filter Client
        workbench measure --fail-on pitfall --junit pitfalls.xml -- .build/debug/mytool
        workbench measure --html report.html --har traffic.har -- swift test --filter Client
        workbench measure --ignore end-unheard -- .build/debug/mytool

      A file .workbench-pitfalls in the working folder names pitfalls that may stay, a line each: “name: reason”.

      Exit status: the program's own, 128 and the signal's number where a signal ended it; with --fail-on pitfall 1 where \
      it ended with 0 and has a pitfall of the grade “wrong”. As in a shell 127 means that there is no such program, 126 \
      that it cannot be executed.
      """)

  /// The reason that makes the command fail.
  enum Reason: String, ExpressibleByArgument, CaseIterable {
    case pitfall
  }

  @Option(help: "Write the report into this file instead.") var output: String?
  @Option(help: "Write what was measured as JSON into this file.") var json: String?
  @Option(help: "Write the report as a page for a browser into this file.") var html: String?
  @Option(help: "Write what happened when as trace events, for Perfetto, Firefox Profiler or speedscope.")
  var trace: String?
  @Option(help: "Write the loads as an HTTP archive (HAR 1.2) into this file.") var har: String?
  @Option(help: "Write the pitfalls as JUnit XML into this file, a case for each.") var junit: String?
  @Option(help: "End with 1 where a pitfall of the grade “wrong” was found.") var failOn: Reason?
  @Option(help: "Leave this pitfall out, by its name; may be given more than once.") var ignore: [String] = []
  @Flag(help: "Tell the values in the queries of addresses, too.") var showQueries = false
  @OptionGroup var terminal: TerminalOptions
  @Argument(parsing: .postTerminator, help: "The program and its arguments, behind --.") var command: [String] = []

  func validate() throws {
    if command.isEmpty {
      throw ValidationError(say: "Name the program behind --, such as: workbench measure -- .build/debug/mytool")
    }
    _ = try ignored()
  }

  private func ignored() throws -> [Pitfall: String] {
    let pitfalls = try ignore.map { name in
      guard let pitfall = Pitfall(rawValue: name) else {
        throw ValidationError(say: "There is no pitfall “\(name)”. Their names: workbench pitfalls")
      }
      return pitfall
    }
    return Dictionary(pitfalls.map { ($0, "") }) { first, _ in first }
  }

  /// The files to write besides the report, and what goes into each.
  private var pictures: [(path: String, picture: (CommandResult) throws -> String)] {
    let catalogue = terminal.messages.catalogue
    let all: [(String?, (CommandResult) throws -> String)] = [
      (json, { try JSONReport.encoded($0) }), (html, { try MeasurePage($0, .init(catalogue: catalogue)).text() }),
      (trace, { try TraceReport($0).text() }), (junit, { MeasureCases($0).text }),
      (har, { try MeasureArchive($0, version: Version.text).text() }),
    ]
    return all.compactMap { path, picture in path.map { ($0, picture) } }
  }

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let text = try output.map { try OutputFile($0) }
      let pictures = try pictures.map { (file: try OutputFile($0.path), picture: $0.picture) }
      var ignored = try IgnoredPitfalls(fileAt: IgnoredPitfalls.fileName)
      try ignored.reasons.merge(self.ignored()) { known, _ in known }
      var result = try await ProgramMeasurement.run(command, showsQueries: showQueries)
      result.ignore(ignored)
      var style = try terminal.style()
      style.isColored = text == nil ? Terminal.isColored(terminal.color, on: STDERR_FILENO) : terminal.color == .always
      let report = MeasureReport(result, style: style).text
      if let file = text {
        try file.write(report)
      } else {
        Terminal.tell(String(report.dropLast()), keepingColours: true)
      }
      for (file, picture) in pictures { try file.write(picture(result)) }
      let isWrong = result.processes.flatMap(\.pitfalls).contains { $0.grade == .wrong }
      if result.status != 0 { throw ExitCode(result.status) }
      if failOn == .pitfall, isWrong { throw ExitStatus.notAsExpected }
    }
  }
}
