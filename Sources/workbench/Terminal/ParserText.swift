// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LessonKit
import Reports

/// Help screens and errors of the argument parser, in a language other than English.
///
/// Problem: the parser takes help texts as fixed strings, breaks lines by counting characters, and has words of its own.
/// Choice: sources stay English, and with them completions and the manual; a text that is to be shown is asked for without
/// line breaks, translated line by line, and laid out again.
struct ParserText {
  /// Columns before the text of an argument, option or command.
  private static let labelWidth = 26
  private static let unbroken = 1 << 16

  /// The parser's sentences with something within that is translated by itself.
  private static let frames: [Phrase] = ["OVERVIEW: {}", "Error: {}"]
  /// The parser's sentences, those with more words first; names and commands within stay as they are.
  private static let sentences: [Phrase] = [
    "USAGE: {}", "Usage: {}", "See '{}' for detailed help.", "See '{}' for more information.",
    "values: {}; default: {}", "values: {}", "default: {}",
    "Unknown option '{}'. Did you mean '{}'?", "Unknown option '{}'", "Missing value for '{}'",
    "The option '{}' does not take any value, but '{}' was specified.",
    "Unexpected argument '{}'", "{} unexpected arguments: '{}'",
    "Value to be set with flag '{}' had already been set with flag '{}'",
    "Missing expected argument '{}'", "Missing one of: '{}'",
    "The value '{}' is invalid for '{}'. Please provide one of {}.", "The value '{}' is invalid for '{}': {}",
    "The value '{}' is invalid for '{}'", "Invalid option: {}",
  ]
  /// What the parser adds to every command by itself.
  private static let own: [Phrase] = [
    "Show the version.", "Show help information.", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:",
  ]

  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// Ends the process as the parser does with this error, in the reader's language.
  static func exit(with error: any Error) -> Never {
    let status = WorkbenchCommand.exitCode(for: error)
    let text = WorkbenchCommand.fullMessage(for: error, columns: unbroken)
    let isHelp = ["OVERVIEW: ", "USAGE: "].contains(where: text.hasPrefix)
    let catalogue = CommandNames.reader(of: CommandLine.arguments).messages.catalogue
    // Version, completions and the manual's data are for programs.
    guard catalogue.language != .english, !text.isEmpty, isHelp || status != .success else {
      WorkbenchCommand.exit(withError: error)
    }
    let shown = ParserText(TextStyle(width: Terminal.width, isColored: false, catalogue: catalogue)).translated(text)
    guard status == .success else {
      Terminal.tell(String(shown.dropLast()))
      Foundation.exit(status.rawValue)
    }
    do { try Terminal.show(shown) } catch { WorkbenchCommand.exit(withError: error) }
    Foundation.exit(0)
  }

  /// The parser's text, in lines that fit the terminal, each ended.
  func translated(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var (shown, isList) = ("", false)
    while let line = lines.popFirst() {
      let words = line.drop { $0 == " " }
      let isIndented = words.startIndex > line.startIndex
      if isList, isIndented, !words.hasPrefix("See '") {
        shown += row(line, &lines)
      } else if words.hasPrefix("Help:  ") {
        shown += helpOfOne(words.dropFirst(7))
      } else if isIndented, !words.hasPrefix("See '") {
        shown += line + "\n"
      } else {
        isList = isList || Self.own.contains { $0.key == words && $0.key.hasSuffix("S:") }
        shown += words.isEmpty ? "\n" : paragraph(words, indent: isIndented ? 2 : 0)
      }
    }
    return shown
  }

  /// A paragraph; one of the forms of a command line breaks between its parts alone.
  private func paragraph(_ text: Substring, indent: Int) -> String {
    guard text.lowercased().hasPrefix("usage: ") else { return style.lines(phrase(text), indent: indent) }
    let parts = text.replacing(/\[[^\]]*\]/) { $0.output.replacing(" ", with: "\u{A0}") }
    return style.lines(phrase(parts[...]), hanging: 6).replacing("\u{A0}", with: " ")
  }

  // MARK: - Rows

  /// A label with its text, which stands in the next line where the label is long.
  private func row(_ line: Substring, _ rest: inout ArraySlice<Substring>) -> String {
    let space = String(repeating: " ", count: Self.labelWidth)
    guard rest.first?.hasPrefix(space) != true else {
      return line + "\n" + style.lines(abstract(rest.removeFirst().dropFirst(Self.labelWidth)), indent: Self.labelWidth)
    }
    guard line.count > Self.labelWidth else { return line + "\n" }
    let text = style.lines(abstract(line.dropFirst(Self.labelWidth)), indent: Self.labelWidth)
    return String(line.prefix(Self.labelWidth)) + String(text.dropFirst(Self.labelWidth))
  }

  /// The option that an error is about: its label, two spaces and its text.
  private func helpOfOne(_ text: Substring) -> String {
    let parts = text.split(separator: "  ", maxSplits: 1)
    let label = parts.first ?? ""
    let shown: Phrase = "\(label)  \(abstract(parts.dropFirst().first ?? ""))"
    return style.lines("Help: \(shown)", hanging: 6)
  }

  /// What stands beside a label, with the values that it may have.
  private func abstract(_ text: Substring) -> Phrase {
    guard let match = text.wholeMatch(of: /(.*?) ?\(((?:values|default): .*)\)/) else { return phrase(text) }
    return "\(phrase(match.output.1)) (\(phrase(match.output.2)))"
  }

  // MARK: - Sentences

  /// The text as a phrase: one of the parser's with its values, or one of the catalogue's as it stands.
  private func phrase(_ text: Substring) -> Phrase {
    for frame in Self.frames {
      if let value = Self.values(of: text, in: frame)?.first {
        return Phrase(key: frame.key, values: [.phrase(phrase(value))])
      }
    }
    for sentence in Self.sentences {
      guard let values = Self.values(of: text, in: sentence) else { continue }
      return Phrase(
        key: sentence.key, values: values.map { .text(String($0).replacing(/' (?:and|or) '|', '/) { _ in "'、'" }) })
    }
    return Phrase(key: String(text))
  }

  /// The texts in the places of a sentence; nil where it is another one.
  private static func values(of text: Substring, in sentence: Phrase) -> [Substring]? {
    let parts = sentence.key.split(separator: "{}", omittingEmptySubsequences: false)
    guard let first = parts.first, text.hasPrefix(first) else { return nil }
    var (rest, values) = (text.dropFirst(first.count), [Substring]())
    for (number, part) in parts.enumerated().dropFirst() {
      let isLast = number == parts.count - 1
      guard !isLast || rest.hasSuffix(part) else { return nil }
      guard !isLast else {
        values.append(rest.dropLast(part.count))
        break
      }
      guard let place = rest.firstRange(of: part) else { return nil }
      values.append(rest[..<place.lowerBound])
      rest = rest[place.upperBound...]
    }
    return values.count == parts.count - 1 ? values : nil
  }
}

extension ValidationError {
  /// A fault of the command line, said in the reader's language.
  init(say sentence: Phrase) {
    self.init(CommandNames.reader(of: CommandLine.arguments).messages.catalogue(sentence))
  }
}
