// SPDX-License-Identifier: Apache-2.0

/// Swift in colours for a terminal: keywords, texts and comments stand out. It looks at one line at a time, which is
/// enough for short programs without texts of several lines.
struct SwiftColours {
  private static let keywords: Set<String> = [
    "actor", "as", "async", "await", "break", "case", "catch", "class", "default", "defer", "do", "else", "enum",
    "extension", "false", "final", "for", "func", "guard", "if", "import", "in", "init", "is", "let", "nil", "override",
    "private", "protocol", "public", "repeat", "return", "self", "some", "any", "static", "struct", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "weak", "unowned", "where", "while",
  ]

  let paint: Paint

  /// The line in colours; as it is where there are none.
  func line(_ text: String) -> String {
    Self.pieces(of: text).map { piece, role in role.map { paint(piece, $0) } ?? piece }.joined()
  }

  /// The line's pieces with what they are: `keyword`, `string`, `faint` for a comment, or nil.
  static func pieces(of text: String) -> [(text: String, role: Paint.Role?)] {
    var pieces: [(text: String, role: Paint.Role?)] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.first {
      let piece: Substring
      var role: Paint.Role?
      if rest.hasPrefix("//") {
        (piece, role) = (rest, .faint)
      } else if character == "\"" {
        (piece, role) = (literal(rest), .string)
      } else if character.isLetter || character == "_" {
        piece = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        role = keywords.contains(String(piece)) ? .keyword : nil
      } else {
        piece = rest.prefix(1)
      }
      if role == nil { plain += piece }
      if role != nil, !plain.isEmpty {
        pieces.append((plain, nil))
        plain = ""
      }
      if role != nil { pieces.append((String(piece), role)) }
      rest = rest.dropFirst(piece.count)
    }
    return plain.isEmpty ? pieces : pieces + [(plain, nil)]
  }

  /// The text literal at the beginning, up to its closing quotation mark.
  private static func literal(_ text: Substring) -> Substring {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
        continue
      }
      if text[index] == "\\" { isEscaped = true }
      if text[index] == "\"" { return text[...index] }
    }
    return text
  }
}
