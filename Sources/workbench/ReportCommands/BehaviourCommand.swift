// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// `workbench behaviour`
struct BehaviourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "behaviour",
    abstract: "Show what each member of the APIs does, ours and the toolchain's, with evidence.",
    discussion: """
      Both columns were measured by the same probes; Scripts/behaviour measures them anew.

      Examples:
        workbench behaviour
        workbench behaviour --feature redirects
        workbench behaviour --html behaviour.html
      """)

  @Option(help: "Only this feature, such as URLSession, redirects or “order of delegate methods”.") var feature: String?
  @Option(help: "Write the table as a page for a browser into this file.") var html: String?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let style = try terminal.style()
      let table = try chosen(from: BehaviourTable(below: LessonText().root))
      if let html {
        let file = try OutputFile(html)
        try file.write(BehaviourPage(table, .course(style.catalogue)).text())
        terminal.messages.tell("written: \(file.path)")
      }
      if json { return try Terminal.show(JSONReport.encoded(table)) }
      if html == nil { try pager.show(BehaviourText(table, style: style).text) }
    }
  }

  private func chosen(from table: BehaviourTable) throws -> BehaviourTable {
    guard let feature else { return table }
    guard let found = table.only(feature) else {
      let names = table.features.joined(separator: ", ")
      terminal.messages.tell("There is no feature “\(feature)”. These are there: \(names)")
      throw ExitStatus.usage
    }
    return found
  }
}
