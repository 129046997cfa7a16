// SPDX-License-Identifier: Apache-2.0

/// The names that a file declares for others: at its top, and as members of what it extends.
struct Declarations {
  private static let keywords: Set<String> = [
    "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]
  private static let modifiers: Set<String> = [
    "final", "fileprivate", "internal", "mutating", "nonisolated", "override", "private", "public", "static", "unowned",
    "weak",
  ]

  private(set) var names: Set<String> = []
  /// The types that the file extends.
  private(set) var extended: Set<String> = []

  init(in source: String) {
    var depth = 0
    var isExtension = false
    var words: [String] = []
    for token in Self.tokens(of: source) {
      switch token {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0 { isExtension = false }
      default:
        if depth == 0, token == "extension" { isExtension = true }
        if depth == 0, words.last == "extension" { extended.insert(token) }
        if depth == (isExtension ? 1 : 0), let keyword = words.last, Self.keywords.contains(keyword),
          !Self.isPrivate(words.dropLast())
        {
          names.insert(token)
        }
      }
      words.append(token)
    }
  }

  private static func isPrivate(_ words: ArraySlice<String>) -> Bool {
    words.reversed().prefix(while: modifiers.contains).contains { $0 == "private" || $0 == "fileprivate" }
  }

  /// The words and the braces of the code.
  private static func tokens(of source: String) -> [String] {
    SwiftText(source).code.reduce(into: [""]) { tokens, letter in
      if letter == "{" || letter == "}" {
        tokens += [String(letter), ""]
      } else if letter.isLetter || letter.isNumber || letter == "_" {
        tokens[tokens.count - 1].append(letter)
      } else if tokens.last?.isEmpty == false {
        tokens.append("")
      }
    }.filter { !$0.isEmpty }
  }
}
