// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Yams

/// The translations into one language, by the English text.
///
/// A catalogue is a folder of YAML files below `Lessons/Texts`, such as `zh-Hans/lesson-05.yml`; each file maps English
/// text to its translation, with `{}` or `{1}`, `{2}` for values. English needs none.
public struct StringCatalogue: Sendable {
  /// The folder of all catalogues, below the folder of lessons.
  public static let folder = "Texts"

  /// The language it translates into.
  public let language: Language
  private let translations: [String: String]

  /// A catalogue of these translations.
  public init(_ language: Language, translations: [String: String] = [:]) {
    self.language = language
    self.translations = translations
  }

  /// The catalogue of `language` below the folder of lessons.
  ///
  /// - Throws: `LessonKitError` with code `environment` when its folder cannot be read, `unreadable` when a file is no
  ///   map of texts; the text names file and line.
  public init(_ language: Language, root: URL) throws(LessonKitError) {
    self.init(language)
    guard language != .english else { return }
    var all: [String: String] = [:]
    for file in try Self.files(of: language, root: root) {
      for entry in try CatalogueFile(file, root: root).entries { all[entry.key] = entry.text }
    }
    self.init(language, translations: all)
  }

  /// The catalogue's files below the folder of lessons, in alphabetical order.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be read.
  public static func files(of language: Language, root: URL) throws(LessonKitError) -> [String] {
    let folder = "\(Self.folder)/\(language.rawValue)"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".yml") }.sorted().map { "\(folder)/\($0)" }
    } catch {
      throw LessonKitError(
        .environment,
        "The translations in \(root.appendingPathComponent(folder).path) cannot be read. Set \(LessonText.variable) to the package's folder Lessons."
      )
    }
  }

  /// The phrase in this language; in English where a translation is missing.
  public func callAsFunction(_ phrase: Phrase) -> String {
    let template =
      translations[phrase.key] ?? (phrase.needsTranslation ? String(phrase.english) : punctuated(phrase.key))
    return phrase.filled(template) { self($0) }
  }

  /// A key without a letter, such as "{}, {}", with the punctuation of this language.
  private func punctuated(_ key: String) -> String {
    guard language == .simplifiedChinese else { return key }
    return [(", ", "，"), ("; ", "；"), (": ", "：")].reduce(key) { $0.replacing($1.0, with: $1.1) }
  }

  /// Fixed English text in this language.
  public func callAsFunction(_ text: String) -> String { translations[text] ?? text }

  /// The keys of the phrase and of those within it that have no translation; none in English.
  public func missing(in phrase: Phrase) -> [String] {
    guard language != .english else { return [] }
    return phrase.all.filter { $0.needsTranslation && translations[$0.key] == nil }.map(\.key)
  }
}

/// One file of a catalogue, with the lines on which its entries stand.
public struct CatalogueFile: Sendable {
  /// One translation.
  public struct Entry: Sendable, Hashable {
    /// The English text.
    public var key: String
    /// The translation.
    public var text: String
    /// The line of the key, from 1.
    public var line: Int
  }

  /// The file, below the folder of lessons.
  public let file: String
  /// The entries in the file's order, doubled keys included.
  public let entries: [Entry]

  /// Reads a file.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be read, `unreadable` when it is no map of texts.
  public init(_ file: String, root: URL) throws(LessonKitError) {
    self.file = file
    let source: String
    do {
      source = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    } catch {
      throw LessonKitError(
        .environment, "The file \(root.appendingPathComponent(file).path) cannot be read. Is it there, and is it UTF-8?"
      )
    }
    do {
      entries = try Self.entries(of: Yams.compose(yaml: source, .basic))
    } catch let error as YamlError {
      throw LessonKitError(.unreadable, "\(file): \(Self.oneLine(error))")
    } catch {
      throw LessonKitError(.unreadable, "\(file): \("\(error)" as String)")
    }
  }

  private struct NoText: Error, CustomStringConvertible {
    var line: Int
    var description: String { "line \(line): an entry is a text and its translation, both in double quotes" }
  }

  private static func entries(of node: Node?) throws -> [Entry] {
    guard let node else { return [] }
    guard case .mapping(let mapping) = node else { throw NoText(line: node.mark?.line ?? 1) }
    return try mapping.map { key, value in
      let line = key.mark?.line ?? 1
      guard let text = key.scalar?.string, let translation = value.scalar?.string else { throw NoText(line: line) }
      return Entry(key: text, text: translation, line: line)
    }
  }

  private static func oneLine(_ error: YamlError) -> String {
    "\(error)".split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }
}
