// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// `workbench list`
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the lessons that exist.",
    discussion: "Example:\n  workbench list")

  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    try await ExitStatus.guarding {
      let table = LessonTable(Course.catalog.lessons)
      try Terminal.show(json ? JSONReport.encoded(table.rows) : table.text(style: terminal.style))
    }
  }
}
