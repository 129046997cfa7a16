// SPDX-License-Identifier: Apache-2.0

/// Text in columns of a terminal: how wide it shows, how it wraps and fills.
enum TextLayout {
  /// The columns a text takes: two for ideographs and full-width forms, none for escape sequences.
  static func width(_ text: String) -> Int {
    var width = 0
    var inEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" {
        inEscape = true
      } else if inEscape {
        inEscape = scalar != "m"
      } else {
        width += isWide(scalar) ? 2 : 1
      }
    }
    return width
  }

  /// The text with spaces behind it until it is `columns` wide.
  static func fill(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// The text with spaces before it until it is `columns` wide.
  static func fillLeft(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - width(text))) + text
  }

  /// Plain text in lines of at most `columns`, broken at spaces and between ideographs; further lines begin with
  /// `indent` spaces.
  static func wrap(_ text: String, _ columns: Int, indent: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces(of: text) {
      let isFirst = line.allSatisfy { $0 == " " }
      if !isFirst, width(line) + width(piece.trimmedEnd) > columns {
        lines.append(line.trimmedEnd)
        line = String(repeating: " ", count: indent)
      }
      line += piece
      while width(line.trimmedEnd) > columns {
        let (head, rest) = cut(line, columns)
        guard !rest.isEmpty, width(head) > indent else { break }
        lines.append(head)
        line = String(repeating: " ", count: indent) + rest
      }
    }
    if !line.trimmedEnd.isEmpty || lines.isEmpty { lines.append(line.trimmedEnd) }
    return lines
  }

  /// The longest start of the text that is at most `columns` wide, and the rest.
  static func cut(_ text: String, _ columns: Int) -> (String, String) {
    var used = 0
    for index in text.indices {
      let next = used + width(String(text[index]))
      if next > columns { return (String(text[..<index]), String(text[index...])) }
      used = next
    }
    return (text, "")
  }

  /// The text, or as much of it as fits before an ellipsis: whole words, where that drops no more than a third.
  static func shortened(_ text: String, _ columns: Int) -> String {
    guard width(text) > columns else { return text }
    let start = cut(text, columns - 1).0
    guard let space = start.lastIndex(of: " "), text.dropFirst(start.count).first != " ",
      width(String(start[start.index(after: space)...])) <= columns / 3
    else { return start + "…" }
    return start[...space] + "…"
  }

  /// Two blocks of lines beside each other, the left one filled up to `columns`.
  static func sideBySide(_ left: [String], _ right: [String], columns: Int, between: String) -> [String] {
    (0..<max(left.count, right.count)).map { row in
      let first = row < left.count ? left[row] : ""
      let second = row < right.count ? right[row] : ""
      return (fill(first, columns) + between + second).trimmedEnd
    }
  }

  /// Words with the spaces behind them; an ideograph is a word, with the punctuation that must stay with it.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var word = ""
    for character in text {
      let startsWord =
        character != " " && word.last == " " && !isCount(word, before: character)
        || !isClosing(character) && !(word.last.map(isOpening) ?? false)
          && (isIdeograph(character) || word.last.map(isIdeograph) ?? false) && word.last != " "
      if startsWord, !word.isEmpty {
        pieces.append(word)
        word = ""
      }
      word.append(character)
    }
    if !word.isEmpty { pieces.append(word) }
    return pieces
  }

  /// True if the word is a number and `character` begins what is counted: the two stay on one line.
  private static func isCount(_ word: String, before character: Character) -> Bool {
    !word.dropLast().isEmpty && word.dropLast().allSatisfy { $0.isASCII && $0.isNumber || "[(+".contains($0) }
      && (character.isLetter || isIdeograph(character))
  }

  private static func isIdeograph(_ character: Character) -> Bool {
    character.unicodeScalars.first.map(isWide) ?? false
  }

  /// True if a line must not begin with this character.
  private static func isClosing(_ character: Character) -> Bool { " ，。、；：？！）」』》”’,.;:?!)]".contains(character) }

  /// True if a line must not end with this character.
  private static func isOpening(_ character: Character) -> Bool { "（「『《“‘[(".contains(character) }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x20000...0x3FFFD:
      true
    default:
      false
    }
  }
}

extension String {
  /// Without the spaces at its end.
  var trimmedEnd: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}
