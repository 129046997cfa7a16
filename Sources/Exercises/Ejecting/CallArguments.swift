// SPDX-License-Identifier: Apache-2.0

/// A call in Swift source: its callee's last word, its arguments, and the closure behind them.
struct CallArguments {
  /// One argument: its label, if it has one, and its text.
  struct Argument: Hashable {
    var label: String?
    var text: String
  }

  /// The word before the parenthesis, such as `session` in `.session("a")`.
  var callee: String
  /// The arguments in parentheses, in order; a closure behind them is the last, without a label.
  var arguments: [Argument]

  /// The text of the argument with this label.
  subscript(_ label: String) -> String? { arguments.first { $0.label == label }?.text }

  /// Every call in the source, an inner one after the one it stands in.
  static func all(in source: SwiftText) -> [CallArguments] {
    source.characters.indices.filter { source.isCode[$0] && source.characters[$0] == "(" }.compactMap { place in
      let before = source.characters[..<place].reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !before.isEmpty, let end = source.end(ofGroupAt: place) else { return nil }
      var arguments = source.split(place + 1..<end).map(argument)
      if let closure = source.closure(after: end) { arguments.append(Argument(text: closure)) }
      return CallArguments(callee: String(before.reversed()), arguments: arguments)
    }
  }

  private static func argument(_ text: String) -> Argument {
    let label = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !label.isEmpty, text.dropFirst(label.count).first == ":" else { return Argument(text: text) }
    return Argument(label: String(label), text: text.dropFirst(label.count + 1).trimmed)
  }
}

extension SwiftText {
  /// Where the group ends that opens at this place: the place of its closing bracket.
  func end(ofGroupAt start: Int) -> Int? {
    var depth = 0
    for place in start..<characters.count where isCode[place] {
      if "([{".contains(characters[place]) { depth += 1 }
      if ")]}".contains(characters[place]) { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// The texts between the commas that stand in no inner group.
  func split(_ range: Range<Int>) -> [String] {
    var parts = [""]
    var depth = 0
    for place in range {
      let letter = characters[place]
      if isCode[place] {
        if "([{".contains(letter) { depth += 1 }
        if ")]}".contains(letter) { depth -= 1 }
        if depth == 0, letter == "," {
          parts.append("")
          continue
        }
      }
      parts[parts.count - 1].append(letter)
    }
    return parts.map { $0[...].trimmed }.filter { !$0.isEmpty }
  }

  /// The closure that follows the parenthesis at this place, with its braces.
  fileprivate func closure(after place: Int) -> String? {
    guard let start = characters[(place + 1)...].firstIndex(where: { !$0.isWhitespace }), characters[start] == "{",
      isCode[start], let end = end(ofGroupAt: start)
    else { return nil }
    return String(characters[start...end])
  }
}

extension StringProtocol {
  /// Without white space at either end.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
  }
}
