// SPDX-License-Identifier: Apache-2.0

/// Swift source, told apart into code, comments and the contents of string literals: just enough to look for words
/// without finding them in a comment.
package struct SwiftText {
  private enum State {
    case code
    case lineComment
    case blockComment(depth: Int)
    /// A string literal: how many `#` it has, whether it spans lines, and the parentheses open in its interpolation.
    case text(pounds: Int, isLong: Bool, open: Int)
  }

  /// The source, letter by letter.
  package let characters: [Character]
  /// For each letter whether it is code; quotation marks are not.
  package private(set) var isCode: [Bool]
  /// The code of values within string literals, such as ` task.words ` for `"made: \(task.words)"`.
  private var values = ""
  private var state = State.code
  private var index = 0

  /// Tells this source apart.
  package init(_ source: String) {
    characters = Array(source)
    isCode = Array(repeating: false, count: characters.count)
    while index < characters.count { step() }
  }

  /// The source with everything else than code replaced by spaces; lines stay where they are.
  var code: String {
    String(zip(characters, isCode).map { $1 || $0.isNewline ? $0 : " " })
  }

  /// Every word of the code, that of values within string literals included: names and keywords.
  var words: Set<String> {
    Set((code + " " + values).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
  }

  // MARK: - Steps

  private mutating func step() {
    switch state {
    case .code: stepInCode()
    case .lineComment:
      if characters[index].isNewline { state = .code }
      index += 1
    case .blockComment(let depth): stepInBlockComment(depth)
    case .text(let pounds, let isLong, let open): stepInText(pounds, isLong, open)
    }
  }

  private mutating func stepInCode() {
    if starts(with: "//") { return enter(.lineComment, 2) }
    if starts(with: "/*") { return enter(.blockComment(depth: 1), 2) }
    let pounds = characters[index...].prefix { $0 == "#" }.count
    let quote = index + pounds
    if quote < characters.count, characters[quote] == "\"" {
      let isLong = starts(with: "\"\"\"", at: quote)
      return enter(.text(pounds: pounds, isLong: isLong, open: 0), pounds + (isLong ? 3 : 1))
    }
    for place in index...(index + max(0, pounds - 1)) { isCode[place] = true }
    index += max(1, pounds)
  }

  private mutating func stepInBlockComment(_ depth: Int) {
    if starts(with: "/*") { return enter(.blockComment(depth: depth + 1), 2) }
    if starts(with: "*/") { return enter(depth == 1 ? .code : .blockComment(depth: depth - 1), 2) }
    index += 1
  }

  /// Inside an interpolation only parentheses are counted; a string in it that holds one alone is not understood.
  private mutating func stepInText(_ pounds: Int, _ isLong: Bool, _ open: Int) {
    let escape = "\\" + String(repeating: "#", count: pounds)
    if open > 0 {
      let change = characters[index] == "(" ? 1 : characters[index] == ")" ? -1 : 0
      values.append(open + change == 0 ? " " : characters[index])
      return enter(.text(pounds: pounds, isLong: isLong, open: open + change), 1)
    }
    if starts(with: escape + "(") { return enter(.text(pounds: pounds, isLong: isLong, open: 1), escape.count + 1) }
    if starts(with: escape) { return enter(.text(pounds: pounds, isLong: isLong, open: 0), escape.count + 1) }
    let end = (isLong ? "\"\"\"" : "\"") + String(repeating: "#", count: pounds)
    if starts(with: end) || !isLong && characters[index].isNewline { return enter(.code, min(end.count, rest)) }
    index += 1
  }

  private mutating func enter(_ next: State, _ length: Int) {
    state = next
    index += length
  }

  private var rest: Int { characters.count - index }

  private func starts(with word: String, at place: Int? = nil) -> Bool {
    characters[(place ?? index)...].starts(with: word)
  }
}
