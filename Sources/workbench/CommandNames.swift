// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LessonKit
import Lessons

/// Looks at the names of commands on the command line before it is parsed, so that a slip of the finger is answered with
/// the command that was meant.
enum CommandNames {
  /// Ends the process with 64 and a sentence where the command line names no command.
  static func check(_ arguments: some Collection<String>) {
    guard let fault = fault(in: arguments) else { return }
    reader(of: arguments).messages.tell(fault)
    exit(ExitStatus.usage.rawValue)
  }

  /// The reader of a command line that is not parsed.
  static func reader(of arguments: some Collection<String>) -> LanguageOptions {
    var reader = LanguageOptions()
    reader.language = language(in: arguments)
    return reader
  }

  /// The command line with a language that stands before the command behind it, as every command takes it; the help of all
  /// takes none, and gets its language from `reader(of:)`.
  static func ordered(_ arguments: some Collection<String>) -> [String] {
    var rest = Array(arguments)
    var moved: [String] = []
    while let first = rest.first, first == "--language" && rest.count > 1 || first.hasPrefix("--language=") {
      let count = first == "--language" ? 2 : 1
      moved += rest.prefix(count)
      rest.removeFirst(count)
    }
    if rest.first == "help" {
      while let place = rest.firstIndex(where: { $0 == "--language" || $0.hasPrefix("--language=") }) {
        rest.removeSubrange(place..<min(rest.count, place + (rest[place] == "--language" ? 2 : 1)))
      }
    }
    guard let command = rest.first, !command.hasPrefix("-"), command != "help" else { return rest }
    rest.insert(contentsOf: moved, at: rest.firstIndex(of: "--") ?? rest.endIndex)
    return rest
  }

  /// The language that the command line asks for, of several the last; nil where it asks for none that there is.
  static func language(in arguments: some Collection<String>) -> Language? {
    let options = arguments.prefix { $0 != "--" }
    let values = zip(options, options.dropFirst() + [""]).compactMap { option, next in
      option == "--language" ? next : option.hasPrefix("--language=") ? String(option.dropFirst(11)) : nil
    }
    return values.last.flatMap(Language.init(named:))
  }

  /// Finds the fault of the names before the first option or argument; nil where there is none.
  static func fault(in arguments: some Sequence<String>) -> Phrase? {
    var command: any ParsableCommand.Type = WorkbenchCommand.self
    var path = ""
    for argument in arguments {
      let children = command.configuration.subcommands
      if children.isEmpty || argument.hasPrefix("-") || argument == "help" { return nil }
      guard let next = children.first(where: { $0.configuration.commandName == argument }) else {
        let shown = children.map { $0.configuration }.filter(\.shouldDisplay).compactMap(\.commandName)
        return fault(of: argument, among: shown, after: path)
      }
      command = next
      path += argument + " "
    }
    return nil
  }

  private static func fault(of name: String, among commands: [String], after path: String) -> Phrase {
    var meant = NameSearch.meant(by: name, among: commands.map { (label: $0, names: [$0], number: nil) })
      .map { commands[$0] }
    if path.isEmpty, (try? Course.catalog.lesson(named: name)) != nil {
      let commands = [ShowCommand.configuration, RunCommand.configuration].compactMap(\.commandName)
      meant = commands.map { $0 + " " + name }
    }
    guard !meant.isEmpty else {
      return "There is no command “\(path + name)”. “workbench \(path)--help” shows all."
    }
    let quoted = meant.map { Phrase(verbatim: "“\(path)\($0)”") }.joined()
    return "There is no command “\(path + name)”; did you mean \(quoted)?"
  }
}
