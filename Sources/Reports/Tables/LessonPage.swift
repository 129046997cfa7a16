// SPDX-License-Identifier: Apache-2.0

/// A lesson's text for a terminal: headings stand out, paragraphs and list items wrap, tables stand in columns, code
/// stays as it is.
public struct LessonPage {
  private let markdown: String

  /// A page of this Markdown. It knows headings, paragraphs, lists, tables, fenced code and comments
  /// of a line, which is all the lessons use.
  public init(markdown: String) {
    self.markdown = markdown
  }

  /// The page in `style`, its lines of prose at most 100 columns long so that they can be read.
  public func text(style: TextStyle) -> String {
    let columns = min(style.width, 100)
    var lines: [String] = []
    var paragraph = ""
    var table = MarkdownTable()
    var inCode = false
    func endParagraph() {
      lines += table.lines(style.width, paint: style.paint)
      table = MarkdownTable()
      guard !paragraph.isEmpty else { return }
      let isItem = paragraph.hasPrefix("- ")
      lines += TextLayout.wrap(paragraph, columns, indent: isItem ? 2 : 0)
      paragraph = ""
    }
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        endParagraph()
        inCode.toggle()
      } else if inCode {
        lines.append("    " + line)
      } else if line.hasPrefix("<!--") {
        endParagraph()
      } else if line.hasPrefix("|") {
        table.take(line)
      } else if line.isEmpty {
        endParagraph()
        lines.append("")
      } else if line.hasPrefix("#") {
        endParagraph()
        lines.append(style.paint(String(line.drop { $0 == "#" }.drop { $0 == " " }), .heading))
      } else {
        if line.hasPrefix("- ") { endParagraph() }
        paragraph = Self.joined(paragraph, line)
      }
    }
    endParagraph()
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { $0.trimmedEnd + "\n" }.joined()
  }

  /// A line break in the source is a space, but not between ideographs.
  private static func joined(_ paragraph: String, _ line: String) -> String {
    guard let last = paragraph.last else { return line }
    let text = line.drop { $0 == " " }
    let isWide = TextLayout.width(String(last)) == 2 && text.first.map { TextLayout.width(String($0)) == 2 } ?? false
    return paragraph + (isWide ? "" : " ") + text
  }
}
