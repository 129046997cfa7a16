// SPDX-License-Identifier: Apache-2.0
import Foundation
import Pitfalls

/// Looks whether what a lesson declares and what the tables say has a translation, and whether each translation is in order.
/// `Scripts/phrases` looks for what sources say beside it.
struct TranslationInspection {
  private let lessons: [Lesson]
  private let root: URL

  init(_ lessons: [Lesson], root: URL) {
    self.lessons = lessons
    self.root = root
  }

  /// Everything that is not in order, with file and line.
  func faults(in language: Language) -> [LessonInspection.Fault] {
    guard language != .english else { return [] }
    var files: [CatalogueFile] = []
    var broken: [LessonInspection.Fault] = []
    do throws(LessonKitError) {
      for file in try StringCatalogue.files(of: language, root: root) {
        do throws(LessonKitError) {
          files.append(try CatalogueFile(file, root: root))
        } catch {
          broken.append(Self.fault(file, error))
        }
      }
    } catch {
      broken.append(
        LessonInspection.Fault(file: "\(StringCatalogue.folder)/\(language.rawValue)", line: 1, sentence: "\(error)"))
    }
    guard broken.isEmpty else { return broken }
    let known = Set(files.flatMap { $0.entries.map(\.key) })
    return files.flatMap(placeholders) + doubled(files) + lessons.flatMap { missing(of: $0, known) }
      + shared(known)
  }

  // MARK: - The files

  /// A file that cannot be read, with the line that its reader names ("6:56: …" or "line 6: …").
  private static func fault(_ file: String, _ error: LessonKitError) -> LessonInspection.Fault {
    let text = error.description
    let line = text.firstMatch(of: #/(?:line )?([0-9]+)(?::[0-9]+)?: /#).flatMap { Int($0.output.1) } ?? 1
    return LessonInspection.Fault(file: file, line: line, sentence: text.replacing("\(file): ", with: ""))
  }

  /// Translations that leave out a value, or have one too many.
  private func placeholders(in file: CatalogueFile) -> [LessonInspection.Fault] {
    file.entries.filter { Self.count(in: $0.key) != Self.count(in: $0.text) }.map { entry in
      LessonInspection.Fault(
        file: file.file, line: entry.line,
        sentence:
          "“\(entry.key)” has \(Self.count(in: entry.key)) values, its translation \(Self.count(in: entry.text))")
    }
  }

  /// Keys that two files translate differently.
  private func doubled(_ files: [CatalogueFile]) -> [LessonInspection.Fault] {
    var first: [String: (text: String, file: String)] = [:]
    return files.flatMap { file in
      file.entries.compactMap { entry in
        guard let known = first[entry.key] else {
          first[entry.key] = (entry.text, file.file)
          return nil
        }
        guard known.text != entry.text else { return nil }
        return LessonInspection.Fault(
          file: file.file, line: entry.line, sentence: "“\(entry.key)” has another translation in \(known.file)")
      }
    }
  }

  private static func count(in text: String) -> Int { text.matches(of: /\{[0-9]*\}/).count }

  // MARK: - The sentences

  private func missing(of lesson: Lesson, _ known: Set<String>) -> [LessonInspection.Fault] {
    let asked = lesson.prediction.map { [$0.question] + $0.answers } ?? []
    let phrases: [Phrase] =
      lesson.claims.map(\.explanation) + lesson.checks.map(\.explanation) + lesson.pairs.map(\.difference)
      + asked + [lesson.subject?.title ?? .empty]
    let keys =
      [lesson.title] + lesson.examples.map(\.title)
      + phrases.flatMap(\.all).filter(\.needsTranslation).map(\.key)
    return Set(keys).filter { !$0.isEmpty && !known.contains($0) }.sorted().map { key in
      let (file, line) = place(of: key, in: lesson)
      return LessonInspection.Fault(file: file, line: line, sentence: "“\(key)” has no translation")
    }
  }

  /// Finds the untranslated texts of files beside the lessons, the table of claims and the catalogue of pitfalls.
  private func shared(_ known: Set<String>) -> [LessonInspection.Fault] {
    let claims = ClaimTable.texts.filter { !known.contains($0) }.map { text in
      LessonInspection.Fault(
        file: "\(StringCatalogue.folder)", line: 1,
        sentence: "the table of claims says “\(text)”, which has no translation")
    }
    let pitfalls = Pitfall.allCases.flatMap(\.entry.texts).filter { !known.contains($0) }.map {
      text in
      LessonInspection.Fault(
        file: "\(StringCatalogue.folder)", line: 1,
        sentence: "the catalogue of pitfalls says “\(text)”, which has no translation")
    }
    return claims + pitfalls
  }

  private func sources(of folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Where the beginning of a text stands in the lesson's sources; the folder where it does not.
  private func place(of key: String, in lesson: Lesson) -> (file: String, line: Int) {
    let beginning = String(key.prefix { $0 != "{" }.prefix(40))
    for file in sources(of: lesson.folder) {
      let source = (try? String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)) ?? ""
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      if let line = lines.firstIndex(where: { $0.contains(beginning) }) { return (file, line + 1) }
    }
    return (lesson.folder, 1)
  }
}
