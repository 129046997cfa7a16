// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit
import Lessons
import Reports

/// `workbench list`
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the lessons that exist, by the parts of the course.",
    discussion: """
      A lesson's exercise is new, started, failing or passed, as in “workbench exercise list”.

      Examples:
        workbench list
        workbench list --folder ~/course
      """)

  @Flag(help: "Print JSON.") var json = false
  @Option(help: "Your folder; left out, the current one where it has exercises, else workbench-exercises in it.")
  var folder: String?
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let style = try terminal.style()
      let table = LessonTable(
        Course.catalog.lessons, parts: Course.parts, exercises: states(), words: Self.words)
      guard !json else { return try Terminal.show(JSONReport.encoded(table.rows)) }
      try pager.show(table.text(style: style))
    }
  }

  private static let words = Dictionary(
    uniqueKeysWithValues: ExerciseState.allCases.map { ($0.rawValue, $0.words) })

  /// The states of the exercises, by the lesson's id. No exercise is read for it: reading 27 took a third of the whole time.
  private func states() -> [String: String] {
    let names = ExerciseCourse.names(in: LessonText().root)
    let student = StudentFolder(folder)
    let states = Course.catalog.lessons.filter { names.contains($0.folder) }
      .map { ($0.id, student.state(named: $0.folder, id: $0.id).rawValue) }
    return Dictionary(states) { first, _ in first }
  }
}
