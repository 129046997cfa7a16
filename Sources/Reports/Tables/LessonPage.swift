// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// A lesson's text for a terminal: headings stand out, paragraphs and list items wrap, tables stand in columns, code
/// stays as it is, and the code that the text refers to stands where it refers to it.
public struct LessonPage {
  private let markdown: String
  private let excerpt: (CodeReference) -> CodeExcerpt?

  /// A page of this Markdown. It knows headings, paragraphs, lists, quotations, tables, fenced code, links and comments of
  /// a line, which is all the lessons use.
  ///
  /// - Parameter excerpt: answers the code of a reference, nil where it is missing.
  public init(markdown: String, excerpt: @escaping (CodeReference) -> CodeExcerpt? = { _ in nil }) {
    self.markdown = markdown
    self.excerpt = excerpt
  }

  /// The page in `style`, its lines of prose at most 100 columns long so that they can be read.
  public func text(style: TextStyle) -> String {
    var lines = PageLines(style)
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        lines.endParagraph()
        lines.inCode.toggle()
      } else if lines.inCode {
        lines.add("    " + line)
      } else if CodeReference.isMeant(by: line) {
        lines.endParagraph()
        lines.add(code(line, style))
      } else if line.hasPrefix("<!--") {
        lines.endParagraph()
        lines.inFigures = line == FigureTable.begin || lines.inFigures && line != FigureTable.end
      } else {
        lines.take(line)
      }
    }
    return style.finished(lines.finished())
  }

  /// The code of a reference's parts, beside each other where that fits.
  private func code(_ line: String, _ style: TextStyle) -> [String] {
    let found = (CodeReference.all(in: line) ?? []).compactMap { reference in
      excerpt(reference).map { (reference, $0) }
    }
    let blocks = found.map { block($0.0, $0.1, style) }
    let widths = blocks.map { $0.map(TextLayout.width).max() ?? 0 }
    guard blocks.count > 1, widths.reduce(0, +) + 3 * (blocks.count - 1) <= style.width else {
      return Array(blocks.joined(separator: [""]))
    }
    return zip(blocks, widths).dropFirst().reduce((lines: blocks[0], width: widths[0])) { left, right in
      (
        TextLayout.sideBySide(left.lines, right.0, columns: left.width, between: style.paint(" │ ", .faint)),
        left.width + 3 + right.1
      )
    }.lines
  }

  private func block(_ reference: CodeReference, _ excerpt: CodeExcerpt, _ style: TextStyle) -> [String] {
    let title: String
    switch reference.role {
    case .wrong: title = style.paint("✗ " + style.say("wrong"), .bad)
    case .right: title = style.paint("✓ " + style.say("right"), .good)
    case .shown: title = style.paint("· " + style.say("shown"), .faint)
    }
    let name = reference.file.split(separator: "/").last.map(String.init) ?? reference.file
    let colours = SwiftColours(paint: style.paint)
    return ["\(title)  \(style.paint(name, .faint))"]
      + excerpt.lines.map { ($0.matters ? style.paint("▶ ", .doubtful) : "  ") + colours.line($0.text) }
  }
}

/// The lines of a page as they come to be.
private struct PageLines {
  private let style: TextStyle
  private let columns: Int
  private var lines: [String] = []
  private var paragraph = ""
  private var table = MarkdownTable()
  var inCode = false
  /// True if a table is one of figures, whose columns may be left out.
  var inFigures = false

  init(_ style: TextStyle) {
    self.style = style
    columns = min(style.width, 100)
  }

  mutating func add(_ line: String) { lines.append(line) }

  mutating func add(_ block: [String]) { lines += block }

  mutating func take(_ source: String) {
    let line = Self.withoutLinks(source)
    if line.hasPrefix("|") {
      table.take(line)
    } else if line.isEmpty {
      endParagraph()
      lines.append("")
    } else if line.hasPrefix("#") {
      endParagraph()
      lines.append(style.paint(String(line.drop { $0 == "#" }.drop { $0 == " " }), .heading))
    } else {
      if Self.marker(of: line) != nil { endParagraph() }
      paragraph = Self.joined(paragraph, line)
    }
  }

  mutating func endParagraph() {
    let leftOut = inFigures ? table.narrow(to: style.width, leavingOut: FigureTable.leftOut) : []
    lines += table.lines(style.width, paint: style.paint)
    if !leftOut.isEmpty {
      let words = leftOut.map { Phrase(verbatim: $0) }.joined()
      let note: Phrase = "A wider terminal also shows: \(words)."
      lines += TextLayout.wrap(style.say(note), columns).map { style.paint($0, .faint) }
    }
    table = MarkdownTable()
    guard !paragraph.isEmpty else { return }
    // A link's text may go over the end of a line.
    lines += TextLayout.wrap(Self.withoutLinks(paragraph), columns, indent: Self.marker(of: paragraph) ?? 0)
    paragraph = ""
  }

  mutating func finished() -> [String] {
    endParagraph()
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// How far the text of a list item or a quotation is indented; nil for other lines.
  private static func marker(of line: String) -> Int? {
    if line.hasPrefix("- ") || line.hasPrefix("> ") { return 2 }
    let number = line.prefix { $0.isNumber }
    return !number.isEmpty && line.dropFirst(number.count).hasPrefix(". ") ? number.count + 2 : nil
  }

  /// A line break in the source is a space, but not within Chinese.
  private static func joined(_ paragraph: String, _ line: String) -> String {
    let text = line.drop { $0 == " " }
    guard let last = paragraph.last, let first = text.first else { return paragraph + text }
    return paragraph + (ChineseText.needsNoSpace(between: last, and: first) ? "" : " ") + text
  }

  /// `[text](address)` becomes the text: a terminal does not open the address.
  private static func withoutLinks(_ line: String) -> String {
    line.replacing(/\[([^\]]+)\]\([^)]+\)/) { String($0.output.1) }
  }
}
