// SPDX-License-Identifier: Apache-2.0

/// A method that Swift source declares, with the type that it belongs to.
struct MethodDeclaration: Hashable {
  /// Its name without labels, such as `urlSession`.
  var name: String
  /// The labels of its parameters, `_` where one has none.
  var labels: [String]
  /// The types of its parameters, without attributes, modules and parentheses; `handler` for every function type.
  var types: [String]
  /// True if it returns something.
  var hasResult: Bool
  /// The type that it stands in, by its name, such as `Load`; empty at the top of the file.
  var owner: String
  /// The line of its name, from 1.
  var line: Int

  /// The name with its labels, such as `urlSession(_:dataTask:didReceive:)`.
  var selector: String { name + "(" + labels.map { $0 + ":" }.joined() + ")" }

  /// A type as it is compared: `(any Error)?`, `Error?` and `Optional<Swift.Error>` are one.
  static func plain(_ type: String) -> String {
    if type.contains("->") { return "handler" }
    let value = type.prefix { $0 != "=" }
    let words = value.split { $0.isWhitespace || "()".contains($0) }
      .filter { !$0.hasPrefix("@") && !["any", "inout", "borrowing", "consuming", "sending"].contains($0) }
    let text = words.joined()
    let named = ["Foundation.", "Swift.", "SessionAPI.", "ConnectionAPI."].reduce(text) { $0.replacing($1, with: "") }
    guard named.hasPrefix("Optional<"), named.hasSuffix(">") else { return named }
    return named.dropFirst("Optional<".count).dropLast() + "?"
  }
}

/// The types and methods that Swift source declares, found without a compiler: enough for the delegates of a small program.
struct MethodScanner {
  private static let kinds: Set<String> = ["class", "struct", "actor", "enum", "extension", "protocol"]

  /// The methods, in the source's order.
  private(set) var methods: [MethodDeclaration] = []
  /// The names behind the colon of each type, its extensions included.
  private(set) var inherited: [String: [String]] = [:]
  private let text: SwiftText
  private var index = 0
  private var depth = 0
  /// The types around this place, with the depth of their braces.
  private var owners: [(name: String, depth: Int)] = []

  init(_ source: String) {
    text = SwiftText(source)
    while index < text.characters.count { step() }
  }

  private mutating func step() {
    let letter = text.characters[index]
    guard text.isCode[index] else {
      index += 1
      return
    }
    if letter == "{" { depth += 1 }
    if letter == "}" {
      depth -= 1
      if let last = owners.last, depth < last.depth { owners.removeLast() }
    }
    guard Self.isInWord(letter) else {
      index += 1
      return
    }
    let word = takeWord()
    if Self.kinds.contains(word) { readType() }
    if word == "func" { readMethod() }
  }

  /// Reads `Load: NSObject, URLSessionDataDelegate {`. Behind `class` may also stand `func`, which is no type.
  private mutating func readType() {
    let start = index
    skipSpace()
    let name = index > start ? takeTypeName() : ""
    guard !name.isEmpty, !["func", "var", "let", "subscript"].contains(name),
      let brace = (index..<text.characters.count).first(where: { text.isCode[$0] && "{}".contains(text.characters[$0]) }
      ),
      text.characters[brace] == "{"
    else {
      index = start
      return
    }
    let header = code(index..<brace)
    let clause = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    let listed = clause.replacing(#/\bwhere\b.*/#.dotMatchesNewlines(), with: "").split(separator: ",")
    inherited[name, default: []] += listed.compactMap {
      $0.split { !Self.isInWord($0) && $0 != "@" }.last.map(String.init)
    }
    depth += 1
    owners.append((name, depth))
    index = brace + 1
  }

  private mutating func readMethod() {
    skipSpace()
    let place = index
    let name = takeWord().filter { $0 != "`" }
    guard !name.isEmpty, let start = text.characters[index...].firstIndex(of: "("), code(index..<start).count < 200,
      !code(index..<start).contains("{"), let end = text.end(ofGroupAt: start)
    else { return }
    let parameters = text.split(start + 1..<end).map { $0.split(separator: ":", maxSplits: 1).map { $0[...].trimmed } }
    // The arrow stands in the same line, or begins the next one.
    let behind = text.characters[(end + 1)...]
    let line = behind.prefix { !"{}\n".contains($0) }
    let next = behind.dropFirst(line.count).drop(while: \.isWhitespace)
    methods.append(
      MethodDeclaration(
        name: name, labels: parameters.map { Self.label($0.first ?? "_") },
        types: parameters.map { MethodDeclaration.plain($0.count > 1 ? $0[1] : "") },
        hasResult: String(line).contains("->") || next.starts(with: "->"), owner: owners.last?.name ?? "",
        line: 1 + text.characters[..<place].count(where: \.isNewline)))
    index = end + 1
  }

  /// The first word of `didReceive data`.
  private static func label(_ names: String) -> String {
    names.split(whereSeparator: \.isWhitespace).first { !$0.hasPrefix("@") }.map(String.init) ?? "_"
  }

  // MARK: - Letters

  private static func isInWord(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || letter == "_" || letter == "`"
  }

  private mutating func takeWord() -> String {
    let word = text.characters[index...].prefix(while: Self.isInWord)
    index += word.count
    return String(word)
  }

  /// The last part of `Exercise.Load`.
  private mutating func takeTypeName() -> String {
    let word = text.characters[index...].prefix { Self.isInWord($0) || $0 == "." }
    index += word.count
    return String(word).split(separator: ".").last.map(String.init) ?? ""
  }

  private mutating func skipSpace() {
    while index < text.characters.count, text.characters[index].isWhitespace { index += 1 }
  }

  private func code(_ range: Range<Int>) -> String {
    String(range.map { text.isCode[$0] ? text.characters[$0] : " " })
  }
}
