// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Code as HTML: pieces of it beside each other, keywords, texts and comments told apart, the line that matters marked.
struct CodeColumns {
  let say: StringCatalogue

  /// The code that a line of a lesson's text refers to; nil where the line is no such reference.
  func html(_ line: String, _ excerpt: (CodeReference) -> CodeExcerpt?) -> String? {
    guard let references = CodeReference.all(in: line) else { return nil }
    let blocks = references.compactMap { reference in excerpt(reference).map { block(reference, $0) } }
    return blocks.isEmpty ? nil : "<div class=\"columns\">\(blocks.joined())</div>"
  }

  /// Whole files, those of the Connection way left, those of the Session way right.
  func html(_ files: [SourcePage.File]) -> String {
    let columns = [files.filter(\.isConnection), files.filter { !$0.isConnection }].filter { !$0.isEmpty }
    let blocks = columns.map { "<div>" + $0.map(block).joined() + "</div>" }
    return "<div class=\"columns\">\(blocks.joined())</div>"
  }

  private func block(_ reference: CodeReference, _ excerpt: CodeExcerpt) -> String {
    let words =
      switch reference.role {
      case .wrong: "✗ " + say("wrong" as Phrase)
      case .right: "✓ " + say("right" as Phrase)
      case .shown: "· " + say("shown" as Phrase)
      }
    let name = reference.file.split(separator: "/").last.map(String.init) ?? reference.file
    return
      "<figure class=\"code \(reference.role.rawValue)\"><figcaption><strong>\(Markup.escaped(words))</strong> \(Markup.escaped(name))</figcaption>\(pre(excerpt.lines.map { ($0.text, $0.matters) }, name))</figure>"
  }

  private func block(_ file: SourcePage.File) -> String {
    let lines = file.shownLines
    let examples = file.examples.joined(separator: ", ")
    return
      "<figure class=\"code\"><figcaption><strong>\(Markup.escaped(file.name))</strong> \(Markup.escaped(examples))</figcaption>\(pre(lines.map { ($0.text, $0.matters) }, file.name))</figure>"
  }

  /// The lines; the box can be moved by keyboard where it is wider than the page.
  private func pre(_ lines: [(text: String, matters: Bool)], _ name: String) -> String {
    let html = lines.map { line in
      let code = SwiftColours.pieces(of: line.text).map { text, role in
        switch role {
        case .keyword: "<b>\(Markup.escaped(text))</b>"
        case .string: "<i class=\"s\">\(Markup.escaped(text))</i>"
        case .faint: "<i class=\"c\">\(Markup.escaped(text))</i>"
        default: Markup.escaped(text)
        }
      }.joined()
      return line.matters ? "<mark>\(code)</mark>" : code
    }
    return
      "<pre tabindex=\"0\" role=\"region\" aria-label=\"\(Markup.escaped(name))\"><code>\(html.joined(separator: "\n"))</code></pre>"
  }
}
