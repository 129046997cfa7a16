// SPDX-License-Identifier: Apache-2.0

/// A string literal of a lesson's source, which may hold values that are known only when it runs: `"parts-\($0)"`.
struct NamePattern {
  /// The fixed texts; between each two stands one of the values.
  private var texts = [""]
  /// The expressions of the values.
  private var values: [String] = []

  /// The pattern of a literal, or nil when the text is no plain string literal.
  init?(literal: String) {
    guard literal.count >= 2, literal.first == "\"", literal.last == "\"", !literal.hasPrefix("\"\"\"") else {
      return nil
    }
    var rest = literal.dropFirst().dropLast()
    while let letter = rest.popFirst() {
      guard letter == "\\", rest.first == "(" else {
        texts[texts.count - 1].append(letter)
        continue
      }
      guard let end = Self.end(of: rest) else { return nil }
      values.append(String(rest[rest.index(after: rest.startIndex)..<end]))
      texts.append("")
      rest = rest[rest.index(after: end)...]
    }
  }

  /// True if it is one text, whatever runs.
  var isFixed: Bool { values.isEmpty }

  /// Finds the values that make the whole `name`, or nil when it cannot be.
  func values(for name: String) -> [String: String]? {
    match(name[...], from: 0)
  }

  private func match(_ name: Substring, from index: Int) -> [String: String]? {
    guard name.hasPrefix(texts[index]) else { return nil }
    let rest = name.dropFirst(texts[index].count)
    guard index < values.count else { return rest.isEmpty ? [:] : nil }
    for end in rest.indices + [rest.endIndex] {
      guard var found = match(rest[end...], from: index + 1) else { continue }
      found[values[index]] = String(rest[..<end])
      return found
    }
    return nil
  }

  /// Where the parenthesis closes that the text begins with.
  private static func end(of text: Substring) -> String.Index? {
    var depth = 0
    for index in text.indices {
      depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
      if depth == 0 { return index }
    }
    return nil
  }
}
