// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Reports

/// `workbench diff`
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two runs: ends, products, places and verdicts, times, peaks and threads that changed.",
    discussion: """
      The files are what `workbench run --json` printed, in version 1 or 2 of the report. What is of another kind (an \
      end, a product, a place, a verdict) is shown apart from amounts, and of these only what noise does not explain. \
      With --repeat 3 or more, on both sides, medians count from 5 ms or 1 MiB on; of single runs only differences of a \
      multiple say something. Exit status: 0, or 1 when an end, a product or a verdict changed.

      Examples:
        workbench run 5 --repeat 5 --json > before.json
        workbench run 5 --repeat 5 --json > after.json
        workbench diff before.json after.json
        workbench diff before.json after.json --html changed.html
      """)

  @Argument(help: "The first run, as JSON.") var before: String
  @Argument(help: "The second run, as JSON.") var after: String
  @Flag(help: "Print JSON.") var json = false
  @Option(help: "Write the comparison as a page for a browser into this file.") var html: String?
  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let page = try html.map(OutputFile.init)
      let first = try JSONReport.run(from: InputFile.contents(before), named: before)
      let second = try JSONReport.run(from: InputFile.contents(after), named: after)
      let comparison = RunComparison(first, second)
      try Terminal.show(json ? JSONReport.encoded(comparison) : comparison.text(style: terminal.style()))
      if let page {
        try page.write(ComparisonPage(first, second, .course(terminal.style().catalogue)).text())
        terminal.messages.tell("written: \(page.path)")
      }
      if comparison.hasOtherResults { throw ExitStatus.notAsExpected }
    }
  }
}
