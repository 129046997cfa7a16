// SPDX-License-Identifier: Apache-2.0
public import LessonKit
import Yams

/// A place in a manifest, which knows its file and line, so that what is wrong there can be named.
struct ManifestNode {
  /// The manifest's path, as a person is to read it.
  let file: String
  private let node: Node

  /// The root of a manifest's text.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is no YAML.
  init(parsing text: String, file: String) throws(LessonKitError) {
    self.file = file
    do {
      guard let node = try Yams.compose(yaml: text, .basic) else {
        throw LessonKitError(.unreadable, "\(file):1: the file is empty")
      }
      self.node = node
    } catch let error as LessonKitError {
      throw error
    } catch {
      let (line, problem) = Self.place(of: error)
      throw LessonKitError(.unreadable, "\(file):\(line): this is no YAML: \(problem)")
    }
  }

  /// The line, and what the library of YAML says of it in English.
  private static func place(of error: any Error) -> (line: Int, problem: String) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      (mark.line, problem)
    case .reader(let problem, let offset, _, let text):
      (1 + text.utf8.prefix(offset ?? 0).count { $0 == UInt8(ascii: "\n") }, problem)
    default: (1, "\(error)")
    }
  }

  private init(_ node: Node, in file: String) {
    self.node = node
    self.file = file
  }

  /// The error that something is wrong here.
  func wrong(_ sentence: Phrase) -> LessonKitError {
    LessonKitError(.unreadable, "\(file):\(node.mark?.line ?? 1): \(sentence)")
  }

  // MARK: - Maps

  /// The value of a key, nil where the map has none.
  func find(_ key: String) throws(LessonKitError) -> ManifestNode? {
    guard case .mapping(let mapping) = node else { throw wrong("here belongs a map of keys and values") }
    // A lookup of Yams' own settles the type of each key that it compares, by regular expressions.
    return mapping.first { $0.key.scalar?.string == key }.map { ManifestNode($0.value, in: file) }
  }

  /// The value of a key that must be there.
  func need(_ key: String) throws(LessonKitError) -> ManifestNode {
    guard let found = try find(key) else { throw wrong("the key “\(key)” is missing") }
    return found
  }

  /// Refuses every key but these, for a misspelt one would be overlooked.
  func allowOnly(_ known: Set<String>) throws(LessonKitError) {
    guard case .mapping(let mapping) = node else { throw wrong("here belongs a map of keys and values") }
    for (key, _) in mapping where !known.contains(key.scalar?.string ?? "") {
      throw ManifestNode(key, in: file).wrong("the key “\(key.scalar?.string ?? "?")” is not known here")
    }
  }

  /// The keys with their values, in the file's order.
  func pairs() throws(LessonKitError) -> [(key: String, value: ManifestNode)] {
    guard case .mapping(let mapping) = node else { throw wrong("here belongs a map of keys and values") }
    return mapping.map { ($0.key.scalar?.string ?? "", ManifestNode($0.value, in: file)) }
  }

  // MARK: - Values that must be there

  func text(_ key: String) throws(LessonKitError) -> String { try need(key).text() }
  func seconds(_ key: String) throws(LessonKitError) -> Double { try need(key).seconds() }
  func bytes(_ key: String) throws(LessonKitError) -> Int { try need(key).bytes() }
  func number(_ key: String, in range: ClosedRange<Int>) throws(LessonKitError) -> Int {
    try need(key).number(in: range)
  }
  func list(_ key: String) throws(LessonKitError) -> [String] { try need(key).list() }

  // MARK: - Values

  /// The elements of a list.
  func elements() throws(LessonKitError) -> [ManifestNode] {
    guard case .sequence(let sequence) = node else { throw wrong("here belongs a list") }
    return sequence.map { ManifestNode($0, in: file) }
  }

  /// The texts of a list.
  func list() throws(LessonKitError) -> [String] {
    try elements().map { element throws(LessonKitError) in try element.text() }
  }

  /// A text that is not empty.
  func text() throws(LessonKitError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw wrong("here belongs a text") }
    return text
  }

  /// A whole number in a range.
  func number(in range: ClosedRange<Int>) throws(LessonKitError) -> Int {
    guard let number = Int(try text()), range.contains(number) else {
      throw wrong("here belongs a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Seconds, from 0 to an hour.
  func seconds() throws(LessonKitError) -> Double {
    guard let number = Double(try text()), (0...3600).contains(number) else {
      throw wrong("here belongs a number of seconds from 0 to 3600")
    }
    return number
  }

  /// A size such as `8MiB`.
  func bytes() throws(LessonKitError) -> Int {
    let text = try text()
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("B", 0)]
    guard let unit = units.first(where: { text.hasSuffix($0.0) }),
      let number = Int(text.dropLast(unit.0.count)), (0...1 << 20).contains(number)
    else { throw wrong("here belongs a size such as 64KiB or 8MiB") }
    return number << unit.1
  }

  /// A text in every language.
  func texts() throws(LessonKitError) -> LocalizedText {
    try allowOnly(Set(Language.allCases.map(\.rawValue)))
    var texts: [Language: String] = [:]
    for language in Language.allCases { texts[language] = try need(language.rawValue).text() }
    return LocalizedText(texts)
  }
}

/// A text in every language of the workbench.
public struct LocalizedText: Sendable, Hashable {
  private let texts: [Language: String]

  init(_ texts: [Language: String]) {
    self.texts = texts
  }

  /// The text in a language; in English where it lacks it.
  public func callAsFunction(_ language: Language) -> String { texts[language] ?? texts[.english] ?? "" }
}
