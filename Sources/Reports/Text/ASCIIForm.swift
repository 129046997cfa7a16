// SPDX-License-Identifier: Apache-2.0

/// Text for terminals that show nothing but ASCII: marks, bars and typographic signs in a form of one column each.
/// Letters of other scripts stay; a reader who asks for Chinese gets Chinese.
enum ASCIIForm {
  private static let forms: [Character: Character] = [
    "✓": "+", "≈": "~", "✗": "x", "·": "-", "×": "x", "→": ">", "…": ".", "“": "\"", "”": "\"", "’": "'", "–": "-",
    "—": "-", "│": "|", "─": "-", "└": "`", "▏": "|", "░": ":", "▶": ">", "↩": "\\", "\u{A0}": " ", "←": "<",
    "▁": ".", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "█": "#",
  ]

  /// The text in its ASCII form.
  static func of(_ text: String) -> String { String(text.map { forms[$0] ?? $0 }) }
}

extension TextStyle {
  /// Lines as they are printed: without spaces at their ends, each with a line break, in ASCII where that was asked for.
  func finished(_ lines: [String]) -> String {
    let text = lines.map { $0.trimmedEnd + "\n" }.joined()
    return isASCII ? ASCIIForm.of(text) : text
  }
}
