// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// `workbench claims`
struct ClaimsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claims", abstract: "Show what the notes claim, where each claim is settled and what is expected.",
    discussion: """
      Examples:
        workbench claims
        workbench claims --lesson 5
      """)

  @Option(help: "Only the claims of this lesson: its name or number.") var lesson: String?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      try ClaimTable.check()
      let list = ClaimList(try claims(), lessons: Course.catalog.lessons)
      guard !json else { return try Terminal.show(JSONReport.encoded(list.rows)) }
      try pager.show(list.text(style: terminal.style()))
    }
  }

  /// A lesson that does not exist yet may be named by its number, because its claims are already known.
  private func claims() throws -> [ClaimTable.Row] {
    guard let lesson else { return ClaimTable.rows }
    let digits = lesson.lowercased().hasPrefix("lesson-") ? String(lesson.dropFirst(7)) : lesson
    if let number = Int(digits), case let rows = ClaimTable.rows(ofLesson: number), !rows.isEmpty { return rows }
    return ClaimTable.rows(ofLesson: try terminal.messages.lesson(meantBy: lesson).number)
  }
}
