// SPDX-License-Identifier: Apache-2.0

/// Finds the text literals of a source that become phrases: in what is declared to be a phrase, as an argument that is
/// taken as one, and before `as Phrase`.
struct PhraseReader {
  /// A phrase's key and the line it begins on, from 1.
  struct Found: Hashable {
    var key: String
    var line: Int
  }

  /// An open bracket and what is known of the place within it.
  private struct Frame {
    var bracket: Character
    /// The word before the bracket.
    var callee = ""
    /// The label of the argument that is being read.
    var label = ""
    /// How many arguments without a label came before it.
    var number = 0
    /// Whether what stands here is a phrase by its declaration.
    var isPhrase = false
    /// The same for the statement that is being read.
    var isPhraseStatement = false
    /// Whether the statement gives something else its value.
    var isOtherStatement = false
    /// Whether the patterns of a `case` are being read.
    var isPattern = false
  }

  private let tokens: [SwiftTokens.Token]
  private let takers: PhraseTakers
  private var frames = [Frame(bracket: "{")]
  private var found: [Found] = []
  /// The place of the literal that the last phrase ends with.
  private var joined = -2

  /// The phrases of a source, in order.
  static func phrases(in tokens: [SwiftTokens.Token], _ takers: PhraseTakers) -> [Found] {
    var reader = PhraseReader(tokens: tokens, takers: takers)
    for place in tokens.indices { reader.read(place) }
    return reader.found
  }

  private init(tokens: [SwiftTokens.Token], takers: PhraseTakers) {
    (self.tokens, self.takers) = (tokens, takers)
  }

  private func kind(_ place: Int) -> SwiftTokens.Kind? { tokens.indices.contains(place) ? tokens[place].kind : nil }

  private func word(_ place: Int) -> String { if case .word(let word) = kind(place) { word } else { "" } }

  private mutating func read(_ place: Int) {
    let top = frames.count - 1
    if endsStatement(before: place) { (frames[top].isPhraseStatement, frames[top].isOtherStatement) = (false, false) }
    switch tokens[place].kind {
    case .text(let key): read(key, place)
    case .word("case") where frames[top].bracket == "{" && !["if", "guard", "for", "while"].contains(word(place - 1)):
      frames[top].isPattern = true
    case .word("let"), .word("var"):
      let isCondition = ["if", "guard", "while", "case"].contains(word(place - 1)) || kind(place - 1) == .sign(",")
      if !isCondition { frames[top].isOtherStatement = true }
    case .word("in") where frames[top].bracket == "{":
      if isPhraseType(before: place) { frames[top].isPhrase = true }
    case .word(let word) where kind(place + 1) == .sign(":") && [.sign("("), .sign(",")].contains(kind(place - 1)):
      frames[top].label = word
    case .sign("("), .sign("["), .sign("{"): open(place)
    case .sign(")"), .sign("]"), .sign("}"): if frames.count > 1 { frames.removeLast() }
    case .sign(","):
      if frames[top].label.isEmpty { frames[top].number += 1 }
      frames[top].label = ""
    case .sign(":"): frames[top].isPattern = false
    case .sign("=") where kind(place - 1) != .sign("=") && kind(place + 1) != .sign("="):
      if isPhraseType(before: place) { (frames[top].isPhraseStatement, frames[top].isOtherStatement) = (true, false) }
    default: break
    }
  }

  private mutating func open(_ place: Int) {
    guard case .sign(let bracket) = tokens[place].kind else { return }
    frames.append(
      Frame(
        bracket: bracket, callee: bracket == "(" ? callee(before: place) : "",
        isPhrase: bracket == "{" && isPhraseType(before: place)))
  }

  /// The word before a parenthesis. `Terminal.tell` takes text, and another `tell` a phrase; an event `.note` takes text,
  /// and the findings' `note` a phrase.
  private func callee(before place: Int) -> String {
    let name = word(place - 1)
    guard kind(place - 2) == .sign("."), name != "count" else { return name }
    return word(place - 3) == "Terminal" || kind(place - 3) == .sign("(") ? "." + name : name
  }

  /// Whether the type that ends before this place, behind a colon or an arrow, is a phrase, several, or has one in it.
  private func isPhraseType(before place: Int) -> Bool {
    var hasPhrase = false
    for here in stride(from: place - 1, through: max(0, place - 12), by: -1) {
      switch tokens[here].kind {
      case .word(let word): hasPhrase = hasPhrase || word == "Phrase"
      case .sign(":"): return hasPhrase
      case .sign(">"): return hasPhrase && kind(here - 1) == .sign("-")
      case .sign("?"), .sign("["), .sign("]"), .sign("("), .sign(")"), .sign(","), .sign("."): break
      default: return false
      }
    }
    return false
  }

  /// Whether a new statement begins here: on a line of its own, with no operator on either side of the line's break.
  private func endsStatement(before place: Int) -> Bool {
    guard place > 0, tokens[place].line != tokens[place - 1].line else { return false }
    if case .sign(let sign) = tokens[place].kind, ".+-*/?:=&|<>)]}".contains(sign) { return false }
    if case .sign(let sign) = tokens[place - 1].kind, ".+-*/?:=&|<>([{,".contains(sign) { return false }
    return true
  }

  // MARK: - Literals

  private mutating func read(_ key: String, _ place: Int) {
    if kind(place - 1) == .sign("+"), joined == place - 2, let last = found.indices.last {
      found[last].key += key
      joined = place
      return
    }
    guard !isCompared(place), frames.last?.isPattern != true else { return }
    if let noun = counted(key, place) {
      found += noun.map { Found(key: $0, line: tokens[place].line) }
    } else if isPhrase(place) {
      found.append(Found(key: key, line: tokens[place].line))
      joined = place
    }
  }

  private func isCompared(_ place: Int) -> Bool {
    kind(place - 1) == .sign("=") && [.sign("="), .sign("!")].contains(kind(place - 2))
      || kind(place + 1) == .sign("=") && kind(place + 2) == .sign("=")
  }

  private func isPhrase(_ place: Int) -> Bool {
    if isCast(place) { return true }
    for frame in frames.reversed() {
      if frame.isOtherStatement { return false }
      if frame.isPhraseStatement || frame.isPhrase { return true }
      // What is appended to a list of phrases is one: the list is what surrounds the call.
      if frame.bracket == "(", !frame.callee.isEmpty, frame.callee != "append" {
        return takers.take(frame.callee, .init(frame.label, number: frame.number))
      }
    }
    return false
  }

  /// Whether `as Phrase` follows, behind further literals that are added to this one.
  private func isCast(_ place: Int) -> Bool {
    var here = place + 1
    while kind(here) == .sign("+"), case .text = kind(here + 1) { here += 2 }
    return word(here) == "as" && word(here + 1) == "Phrase"
  }

  /// The keys of `Phrase.count(number, "noun")`: singular and plural.
  private func counted(_ key: String, _ place: Int) -> [String]? {
    guard let frame = frames.last, frame.callee == "count", frame.label.isEmpty, kind(place - 1) == .sign(",") else {
      return nil
    }
    if case .text(let plural) = kind(place + 2), kind(place + 1) == .sign(",") { return ["{} \(key)", "{} \(plural)"] }
    if case .text = kind(place - 2) { return [] }
    return ["{} \(key)", "{} \(key)s"]
  }
}
