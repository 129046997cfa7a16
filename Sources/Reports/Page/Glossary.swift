// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The words that lessons and reports use, each with its explanation, read from the course's own text.
public struct Glossary: Sendable {
  /// A word.
  public struct Entry: Sendable, Hashable {
    /// The word as the page shows it.
    public var word: String
    /// Its place on a page: the English word with hyphens.
    public var anchor: String
    /// The explanation, Markdown.
    public var markdown: String

    /// The explanation's first paragraph without marks, for a tooltip.
    public var hint: String {
      let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).drop(while: \.isEmpty)
      let text = lines.prefix { !$0.isEmpty }.reduce(into: "") { text, line in
        let isJoined = text.last.flatMap { last in line.first.map { ChineseText.needsNoSpace(between: last, and: $0) } }
        text += (text.isEmpty || isJoined == true ? "" : " ") + line
      }
      return text.replacing(#/\[([^\]]+)\]\([^)]*\)/#) { String($0.output.1) }.filter { $0 != "`" && $0 != "*" }
    }
  }

  /// The text before the first word, Markdown.
  public let introduction: String
  /// The words in their order.
  public let entries: [Entry]

  /// A text with a heading of the second level for each word.
  public init(_ markdown: String) {
    var parts = ("\n" + markdown).components(separatedBy: "\n## ")
    let head = parts.removeFirst().split(separator: "\n", omittingEmptySubsequences: false)
    introduction = head.filter { !$0.hasPrefix("# ") }.joined(separator: "\n")
    entries = parts.map { part in
      let word = String(part.prefix { $0 != "\n" })
      // A translation names the English word first, then its own.
      let english = word.prefix { $0.isASCII }.trimmingCharacters(in: .whitespaces)
      return Entry(
        word: word, anchor: english.lowercased().replacing(" ", with: "-"),
        markdown: String(part.dropFirst(word.count)))
    }
  }

  /// The word that a link of a text leads to, such as `../glossary.md#run-loop`; nil for any other address.
  public func entry(linked address: String) -> Entry? {
    guard address.contains("glossary"), let mark = address.lastIndex(of: "#") else { return nil }
    let anchor = address[address.index(after: mark)...]
    return entries.first { $0.anchor == anchor } ?? entries.first { $0.anchor.hasPrefix(anchor + "-") }
  }
}
