// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Reports

/// `workbench diff`
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two runs: ends, peaks, times, threads, places and verdicts that changed.",
    discussion: """
      The files are what `workbench run --json` printed. Differences below what differs from run to run anyway (a \
      quarter of a time, a tenth of a memory figure) are not shown. Exit status: 0, or 1 when an example ended otherwise or a \
      verdict changed.

      Examples:
        workbench run 5 --json > before.json
        workbench run 5 --json > after.json
        workbench diff before.json after.json
      """)

  @Argument(help: "The first run, as JSON.") var before: String
  @Argument(help: "The second run, as JSON.") var after: String
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    try await ExitStatus.guarding {
      let comparison = RunComparison(
        try JSONReport.run(from: InputFile.contents(before), named: before),
        try JSONReport.run(from: InputFile.contents(after), named: after))
      try Terminal.show(json ? JSONReport.encoded(comparison) : comparison.text(style: terminal.style))
      if comparison.hasOtherResults { throw ExitStatus.notAsExpected }
    }
  }
}
