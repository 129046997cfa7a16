// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LessonKit
import Lessons
import Reports

/// When to use colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case always, never, auto
}

/// The option that every command has which prints for a person.
struct LanguageOptions: ParsableArguments {
  @Option(help: "The language of what is printed: en or zh-Hans (zh); left out, LC_ALL, LC_MESSAGES or LANG decides.")
  var language: Language?

  /// The reader's language.
  var spoken: Language { language ?? Language() }

  /// The translations.
  ///
  /// - Throws: `LessonKitError` when they cannot be read.
  func catalogue() throws(LessonKitError) -> StringCatalogue {
    try StringCatalogue(spoken, root: LessonText().root)
  }

  /// How to say what has to be said even when the translations cannot be read: in English then.
  var messages: Messages { Messages(catalogue: (try? catalogue()) ?? StringCatalogue(.english)) }
}

/// The options of commands that print more than a line or two.
struct TerminalOptions: ParsableArguments {
  @Option(help: "Use colour: always, never, or auto (on a terminal, unless NO_COLOR is set).")
  var color = ColorChoice.auto
  @OptionGroup var reader: LanguageOptions

  /// How to print on standard output.
  ///
  /// - Throws: `LessonKitError` when the translations cannot be read.
  func style() throws(LessonKitError) -> TextStyle {
    TextStyle(
      width: Terminal.width, isColored: Terminal.isColored(color), isASCII: Terminal.isASCII(),
      catalogue: try reader.catalogue())
  }

  /// How to say a sentence beside the results.
  var messages: Messages { reader.messages }
}

/// The option of commands whose text may be longer than the screen.
struct PagerOptions: ParsableArguments {
  @Flag(help: "Print at once, also what is longer than the screen; else $PAGER or less shows it page by page.")
  var noPager = false

  /// Prints a result, page by page where it is longer than the terminal.
  func show(_ text: String) throws {
    guard !noPager, Pager.show(text) else { return try Terminal.show(text) }
  }
}
