// SPDX-License-Identifier: Apache-2.0

/// Finds the phrases that a lesson's claims say, in the source, so that a missing translation is noticed before the
/// sentence is needed: the text literals that are arguments of `note(`, with `{}` for their values.
///
/// It knows just enough of Swift: parentheses, texts with values in them, comments of a line. Literals within other
/// calls or values, and those that something is compared with, are not looked at; they are names and printed lines.
struct PhraseScanner {
  /// A phrase's key and the line it begins on, from 1.
  struct Found: Hashable {
    var key: String
    var line: Int
  }

  private let text: [Character]
  private var position = 0
  private var line = 1

  private init(_ source: String) {
    text = Array(source)
  }

  /// The phrases of a source, in order.
  static func phrases(in source: String) -> [Found] {
    var scanner = PhraseScanner(source)
    var found: [Found] = []
    while scanner.skip(to: "note(") { found += scanner.arguments() }
    return found
  }

  /// Moves behind the next call of that name; false where there is none.
  private mutating func skip(to call: String) -> Bool {
    let wanted = Array(call)
    while position + wanted.count <= text.count {
      let isName = position > 0 && (text[position - 1].isLetter || text[position - 1] == "_")
      if !isName, text[position..<(position + wanted.count)].elementsEqual(wanted) {
        position += wanted.count
        return true
      }
      advance()
    }
    return false
  }

  /// The literals between here and the closing parenthesis that stand in no other one.
  private mutating func arguments() -> [Found] {
    var depth = 1
    var found: [Found] = []
    var (joins, compares) = (false, false)
    while position < text.count, depth > 0 {
      switch text[position] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "/" where position + 1 < text.count && text[position + 1] == "/": skipLine()
      case "\"":
        let start = line
        let key = literal()
        guard depth == 1, !compares else {
          compares = false
          continue
        }
        if joins, let last = found.indices.last {
          found[last].key += key
        } else {
          found.append(Found(key: key, line: start))
        }
        joins = false
        continue
      case "+": joins = !found.isEmpty
      case "=": compares = true
      case ",", "?", ":": (joins, compares) = (false, false)
      default: break
      }
      advance()
    }
    return found
  }

  /// The key of the literal that begins here; moves behind it.
  private mutating func literal() -> String {
    advance()
    var key = ""
    while position < text.count, text[position] != "\"" {
      if text[position] == "\\", position + 1 < text.count {
        advance()
        if text[position] == "(" {
          skipValue()
          key += "{}"
          continue
        }
      }
      key.append(text[position])
      advance()
    }
    advance()
    return key
  }

  /// Moves behind the value whose opening parenthesis is here.
  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch text[position] {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"":
        _ = literal()
        continue
      default: break
      }
      advance()
    } while position < text.count && depth > 0
  }

  private mutating func skipLine() {
    while position < text.count, text[position] != "\n" { advance() }
  }

  private mutating func advance() {
    if text[position] == "\n" { line += 1 }
    position += 1
  }
}
