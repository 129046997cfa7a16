// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import Foundation
public import LessonKit
import Lessons
import Reports

extension Side: ExpressibleByArgument {
  /// The two columns that lessons have.
  public static var allValueStrings: [String] { [Side.connection.rawValue, Side.session.rawValue] }
}

extension LessonText.Language: ExpressibleByArgument {}

/// `workbench show`
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a lesson's text, or the source of its examples.",
    discussion: """
      Examples:
        workbench show 5
        workbench show delegate-progress --language zh-Hans
        workbench show 5 --source --side connection
      """)

  @Argument(help: "The lesson: lesson-05, 05, 5 or delegate-progress.") var lesson: String
  @Option(help: "Only this column's programs, with --source: connection or session.") var side: Side?
  @Option(help: "The text's language: en or zh-Hans.") var language = LessonText.Language.english
  @Flag(help: "Show the examples' source, both columns side by side where the terminal is wide enough.")
  var source = false
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if side != nil, !source { throw ValidationError("--side chooses programs; give --source, too.") }
  }

  func run() async throws {
    try await ExitStatus.guarding {
      let lesson = try Course.catalog.lesson(named: lesson)
      let texts = LessonText(root: Course.folder)
      if source {
        try Terminal.show(page(of: lesson, texts).text(style: terminal.style))
      } else {
        let markdown = try texts.text(of: lesson, in: language)
        try Terminal.show(LessonPage(markdown: markdown).text(style: terminal.style))
      }
    }
  }

  private func page(of lesson: Lesson, _ texts: LessonText) throws -> SourcePage {
    let programs = try lesson.examples.filter { side == nil || $0.side == side }.map { example in
      SourcePage.Program(
        id: example.id, file: "\(lesson.folder)/\(example.file)",
        source: try texts.source(of: example, in: lesson), isConnection: example.side == .connection)
    }
    return SourcePage(programs)
  }
}
