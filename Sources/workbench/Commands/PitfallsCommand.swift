// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Pitfalls
import Reports

/// `workbench pitfalls`
struct PitfallsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pitfalls", abstract: "List the pitfalls that `measure` finds, or explain one.",
    discussion: """
      Examples:
        workbench pitfalls
        workbench pitfalls never-resumed
        workbench pitfalls --json
      """)

  @Argument(help: "A pitfall, such as never-resumed.") var name: String?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let pitfalls = try chosen()
      guard !json else { return try Terminal.show(JSONReport.encoded(pitfalls.map(Shown.init))) }
      let style = try terminal.style()
      guard name != nil else { return try pager.show(PitfallPage.list(style)) }
      try Terminal.show(
        pitfalls.map { pitfall in
          let programs = PitfallPrograms(pitfall)
          return PitfallPage(pitfall, examples: programs.examples).text(style)
            + (try programs.code(in: terminal.reader.spoken, style))
        }.joined())
    }
  }

  private func chosen() throws -> [Pitfall] {
    guard let name else { return Pitfall.allCases }
    guard let pitfall = Pitfall(rawValue: name) else {
      let near = NameSearch.closest(to: name, Pitfall.allCases.map { ($0.rawValue, [$0.rawValue], nil) })
      throw LessonKitError(.unknownName, "There is no pitfall “\(name)”.\(near)")
    }
    return [pitfall]
  }

  private struct Shown: Encodable {
    var name, grade, harm, cure: String
    var lesson: Int
    var examples: [String]

    init(_ pitfall: Pitfall) {
      let entry = pitfall.entry
      examples = PitfallPrograms(pitfall).examples
      (name, grade, harm, cure) = (pitfall.rawValue, entry.grade.rawValue, entry.harm, entry.cure)
      lesson = entry.lesson
    }
  }
}
