// SPDX-License-Identifier: Apache-2.0

/// A sentence, or a part of one, that can be said in every language of the workbench.
///
/// It is written as an English string literal. The literal's text with `{}` in place of each value is the key under
/// which a `StringCatalogue` keeps the translation; the values are put in when the phrase is rendered. A value may be a
/// phrase itself.
///
///     let phrase: Phrase = "\(3) of \(8) callbacks came on \(place)"   // key: "{} of {} callbacks came on {}"
///
/// A word that means several things says of which it is said; the key begins with that then.
///
///     let state = Phrase("new", of: "connection")                       // key: "connection|new"
public struct Phrase: Sendable, Hashable {
  /// A value within a phrase.
  public indirect enum Value: Sendable, Hashable {
    /// Text that is the same in every language: a number, a name, what a program printed.
    case text(String)
    /// A part that has a translation of its own.
    case phrase(Phrase)
  }

  /// The English text with `{}` for each value.
  public private(set) var key: String
  /// The values, in the order in which they stand in English.
  public private(set) var values: [Value]
  /// True if a time that was measured stands in it (`TimeShown`). Known to who wrote it, not to who reads it from a file.
  public fileprivate(set) var showsTime = false

  /// A phrase of this key and these values.
  public init(key: String, values: [Value] = []) {
    self.key = key
    self.values = values
  }

  /// A word that other languages have several words for: this one is said of `context`, a word that stands in its key alone.
  public init(_ word: String, of context: String) { self.init(key: "\(context)|\(word)") }

  /// Text that is the same in every language.
  public init(verbatim text: String) {
    self.init(key: text.isEmpty ? "" : "{}", values: text.isEmpty ? [] : [.text(text)])
  }

  /// Equal where they say the same.
  public static func == (one: Phrase, other: Phrase) -> Bool { one.key == other.key && one.values == other.values }

  /// What it says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(values)
  }

  /// Nothing.
  public static let empty = Phrase(key: "")

  /// True if it says nothing.
  public var isEmpty: Bool { key.isEmpty }

  /// A number and its English noun in the right number, such as `1 request` and `3 requests`; other languages translate
  /// either key.
  public static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> Phrase {
    Phrase(key: "{} \(number == 1 ? noun : plural ?? noun + "s")", values: [.text("\(number)")])
  }

  /// The English text: the key without its context.
  var english: Substring {
    guard let end = key.firstIndex(of: "|"), end > key.startIndex, key[..<end].allSatisfy(\.isLetter) else {
      return key[...]
    }
    return key[key.index(after: end)...]
  }

  /// True if a translator has anything to do: a key without a letter is the same in every language.
  public var needsTranslation: Bool { key.contains(where: \.isLetter) }

  /// This phrase and those within it.
  public var all: [Phrase] {
    values.reduce(into: [self]) { all, value in
      if case .phrase(let phrase) = value { all += phrase.all }
    }
  }
}

extension Phrase: ExpressibleByStringInterpolation {
  /// Collects a literal's text and values.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var values: [Value] = []
    fileprivate var showsTime = false

    /// An empty one.
    public init(literalCapacity: Int, interpolationCount: Int) {
      values.reserveCapacity(interpolationCount)
    }

    /// Takes text of the literal.
    public mutating func appendLiteral(_ literal: String) { key += literal }

    /// Takes a part with a translation of its own.
    public mutating func appendInterpolation(_ phrase: Phrase) {
      guard !phrase.isEmpty else { return }
      key += "{}"
      values.append(.phrase(phrase))
      showsTime = showsTime || phrase.showsTime
    }

    /// Takes a time that was measured.
    public mutating func appendInterpolation(_ time: TimeShown) {
      key += "{}"
      values.append(.text(time.text))
      showsTime = true
    }

    /// Takes a value that is the same in every language.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      key += "{}"
      values.append(.text(value.description))
    }
  }

  /// The phrase of a literal without values.
  public init(stringLiteral text: String) { self.init(key: text) }

  /// The phrase of a literal with values.
  public init(stringInterpolation: StringInterpolation) {
    self.init(key: stringInterpolation.key, values: stringInterpolation.values)
    showsTime = stringInterpolation.showsTime
  }
}

extension Phrase: CustomStringConvertible {
  /// Two literals as one, for those that are longer than a line.
  public static func + (first: Phrase, second: Phrase) -> Phrase {
    var both = Phrase(key: first.key + second.key, values: first.values + second.values)
    both.showsTime = first.showsTime || second.showsTime
    return both
  }

  /// The phrase in English.
  public var description: String { filled(String(english)) { $0.description } }

  /// `template` with the values put in: `{}` stands for the next one, `{2}` for the second. A place without a value
  /// stays as it is.
  func filled(_ template: String, _ say: (Phrase) -> String) -> String {
    var text = ""
    var rest = template[...]
    var next = 0
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let number = rest[rest.index(after: open)..<close]
      let index = number.isEmpty ? next : (Int(number) ?? 0) - 1
      if number.isEmpty { next += 1 }
      text += values.indices.contains(index) ? Self.words(values[index], say) : String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  private static func words(_ value: Value, _ say: (Phrase) -> String) -> String {
    switch value {
    case .text(let text): text
    case .phrase(let phrase): say(phrase)
    }
  }
}

extension Sequence<Phrase> {
  /// The phrases one after the other; empty ones are left out.
  public func joined(_ separator: String = ", ") -> Phrase {
    let parts = filter { !$0.isEmpty }
    var all = Phrase(
      key: parts.map { _ in "{}" }.joined(separator: separator), values: parts.map { Phrase.Value.phrase($0) })
    all.showsTime = parts.contains(where: \.showsTime)
    return all
  }
}

extension Phrase: Codable {
  private enum CodingKeys: String, CodingKey { case text, key, values }

  /// Reads a phrase: a string without values, or an object with a key and its values, each a string or such an object.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(key: text)
      return
    }
    let object = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      key: try object.decode(String.self, forKey: .key), values: try object.decode([Value].self, forKey: .values))
  }

  /// Writes it: a string where it has no values and no context, else an object with its English text, its key and its values.
  public func encode(to encoder: any Encoder) throws {
    guard !values.isEmpty || english != key else {
      var single = encoder.singleValueContainer()
      return try single.encode(key)
    }
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(description, forKey: .text)
    try object.encode(key, forKey: .key)
    try object.encode(values, forKey: .values)
  }
}

extension Phrase.Value: Codable {
  /// Reads a string as text and an object as a phrase.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
    } else {
      self = .phrase(try Phrase(from: decoder))
    }
  }

  /// Writes text as a string. A phrase without values is an object too, so that it is not read as text.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text):
      var single = encoder.singleValueContainer()
      try single.encode(text)
    case .phrase(let phrase):
      try Keyed(text: phrase.description, key: phrase.key, values: phrase.values).encode(to: encoder)
    }
  }

  private struct Keyed: Encodable {
    var text: String
    var key: String
    var values: [Phrase.Value]
  }
}
