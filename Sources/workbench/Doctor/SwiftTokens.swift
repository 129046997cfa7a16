// SPDX-License-Identifier: Apache-2.0
import Exercises

/// Swift source as words, signs and text literals; comments are left out.
struct SwiftTokens {
  /// What a token is.
  enum Kind: Hashable {
    /// A name, a keyword or a number.
    case word(String)
    /// One letter that is none of these: a bracket, a comma, a part of an operator.
    case sign(Character)
    /// A text literal, as the key of a phrase: `{}` in place of each value.
    case text(String)
  }

  /// A token and the line on which it begins, from 1.
  struct Token: Hashable {
    var kind: Kind
    var line: Int
  }

  private(set) var all: [Token] = []
  /// The tokens of each value within a literal, such as `task.words` in `"made: \(task.words)"`.
  private(set) var values: [[Token]] = []
  private let letters: [Character]
  private let isCode: [Bool]
  private var place = 0
  private var line: Int

  /// The tokens of a source that begins on this line.
  init(_ source: String, line: Int = 1) {
    let text = SwiftText(source)
    (letters, isCode) = (text.characters, text.isCode)
    self.line = line
    while place < letters.count { step() }
  }

  private mutating func step() {
    let letter = letters[place]
    if isCode[place], Self.isOfWord(letter) {
      let end = letters[place...].firstIndex { !Self.isOfWord($0) } ?? letters.count
      all.append(Token(kind: .word(String(letters[place..<end])), line: line))
      place = end
    } else if isCode[place] {
      if !letter.isWhitespace { all.append(Token(kind: .sign(letter), line: line)) }
      advance()
    } else if letter == "\"" {
      let start = line
      all.append(Token(kind: .text(literal()), line: start))
    } else if letter == "#" {
      advance()
    } else {
      while place < letters.count, !isCode[place], !letters[place].isNewline { advance() }
      if place < letters.count, !isCode[place] { advance() }
    }
  }

  private static func isOfWord(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber || letter == "_" }

  // MARK: - Literals

  /// The key of the literal that begins here; moves behind it. Of one that spans lines the first line break and the
  /// indentation stay in: no phrase is written so.
  private mutating func literal() -> String {
    let isLong = letters[place...].starts(with: "\"\"\"")
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    var key = ""
    while place < letters.count {
      if letters[place] == "\"", !isLong || letters[place...].starts(with: "\"\"\"") { break }
      key += letters[place] == "\\" ? escaped() : String(letters[place])
      if place < letters.count { advance() }
    }
    for _ in 0..<(isLong ? 3 : 1) where place < letters.count { advance() }
    return key
  }

  /// What an escape stands for; stays on its last letter.
  private mutating func escaped() -> String {
    advance()
    guard place < letters.count else { return "" }
    switch letters[place] {
    case "n": return "\n"
    case "t": return "\t"
    case "(":
      skipValue()
      return "{}"
    case "u":
      let digits = letters[place...].dropFirst(2).prefix { $0 != "}" }
      for _ in 0..<(digits.count + 2) where place < letters.count { advance() }
      return UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
    default: return String(letters[place])
    }
  }

  /// Takes the value in the parenthesis that opens here, and moves to the one that closes it.
  private mutating func skipValue() {
    let (start, startLine) = (place + 1, line)
    var depth = 0
    while place < letters.count {
      depth += letters[place] == "(" ? 1 : letters[place] == ")" ? -1 : 0
      if depth == 0 { break }
      advance()
    }
    let value = SwiftTokens(String(letters[start..<max(start, place)]), line: startLine)
    values += [value.all] + value.values
  }

  private mutating func advance() {
    if letters[place].isNewline { line += 1 }
    place += 1
  }
}
