// SPDX-License-Identifier: Apache-2.0

/// What the sources declare to take a phrase: functions and types by name, with the labels of those arguments.
struct PhraseTakers {
  /// An argument of a call.
  enum Argument: Hashable {
    /// The one with this label.
    case labelled(String)
    /// The one with this number among those without a label, from 0.
    case number(Int)

    init(_ label: String, number: Int) { self = label.isEmpty ? .number(number) : .labelled(label) }
  }

  private var arguments: [String: Set<Argument>] = ["catalogue": [.number(0)], "Phrase": [.labelled("key")]]

  /// Whether a literal that is this argument of a call is a phrase.
  func take(_ callee: String, _ argument: Argument) -> Bool { arguments[callee]?.contains(argument) == true }

  /// Takes in what one file declares.
  mutating func add(_ tokens: [SwiftTokens.Token]) {
    let words = tokens.map { token in if case .word(let word) = token.kind { word } else { "" } }
    // For each open brace the name of the type whose body it opens, "" for any other.
    var bodies: [String] = []
    var type = ""
    for place in tokens.indices {
      switch (words[place], tokens[place].kind) {
      case ("struct", _), ("class", _), ("enum", _), ("extension", _), ("actor", _): type = words[safe: place + 1]
      case ("func", _): add(words[safe: place + 1], parametersBehind: place + 2, of: tokens, words)
      case ("init", _): add(bodies.last ?? "", parametersBehind: place + 1, of: tokens, words)
      case ("var", _), ("let", _):
        let isStored = tokens.indices.contains(place + 4) && tokens[place + 4].kind != .sign("{")
        if let body = bodies.last, !body.isEmpty, isStored, Self.isPhrase(tokens, words, from: place + 2) {
          arguments[body, default: []].insert(.labelled(words[safe: place + 1]))
        }
      case (_, .sign("{")):
        bodies.append(type)
        type = ""
      case (_, .sign("}")): _ = bodies.popLast()
      default: break
      }
    }
  }

  private mutating func add(
    _ name: String, parametersBehind place: Int, of tokens: [SwiftTokens.Token], _ words: [String]
  ) {
    guard tokens.indices.contains(place), tokens[place].kind == .sign("(") else { return }
    var (depth, number) = (0, 0)
    for here in place..<tokens.count {
      guard case .sign(let sign) = tokens[here].kind else { continue }
      depth += "([".contains(sign) ? 1 : ")]".contains(sign) ? -1 : 0
      if depth == 0 { return }
      guard depth == 1, sign == "(" || sign == ",", tokens.indices.contains(here + 2) else { continue }
      let label = words[here + 1] == "_" ? "" : words[here + 1]
      let colon = tokens[here + 2].kind == .sign(":") ? here + 2 : here + 3
      if Self.isPhrase(tokens, words, from: colon) {
        arguments[name, default: []].insert(Argument(label, number: number))
      }
      if label.isEmpty { number += 1 }
    }
  }

  /// Whether a colon stands here, with a phrase or several behind it as the type.
  private static func isPhrase(_ tokens: [SwiftTokens.Token], _ words: [String], from colon: Int) -> Bool {
    guard tokens.indices.contains(colon + 2), tokens[colon].kind == .sign(":") else { return false }
    return words[colon + 1] == "Phrase" || tokens[colon + 1].kind == .sign("[") && words[colon + 2] == "Phrase"
  }
}

extension [String] {
  fileprivate subscript(safe place: Int) -> String { indices.contains(place) ? self[place] : "" }
}
