// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Looks whether a lesson's texts are in order: a heading, every claim named, the code they refer to there, the words
/// they link to explained.
struct TextInspection {
  private let lesson: Lesson
  private let root: URL

  init(_ lesson: Lesson, root: URL) {
    self.lesson = lesson
    self.root = root
  }

  /// Everything that is not in order in the text of this language.
  func faults(in language: Language) -> [LessonInspection.Fault] {
    let file = "\(lesson.folder)/\(language.file("lesson"))"
    guard let text = read(file) else {
      return [
        LessonInspection.Fault(
          file: file, line: 1, sentence: "the text in the language \(language.rawValue) is missing")
      ]
    }
    func fault(_ line: Int, _ sentence: String) -> LessonInspection.Fault {
      LessonInspection.Fault(file: file, line: line, sentence: sentence)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var faults = text.hasPrefix("# ") ? [] : [fault(1, "the first line is no heading")]
    for claim in lesson.claims where !text.contains(claim.id) {
      faults.append(fault(lines.count, "the claim \(claim.id) is not named"))
    }
    if !lines.contains(where: CodeReference.isMeant) { faults.append(fault(1, "it shows no code")) }
    for (index, line) in lines.enumerated() {
      faults += (code(line) + links(line, language)).map { fault(index + 1, $0) }
    }
    return faults
  }

  /// Finds the faults of the code that a line refers to.
  private func code(_ line: String) -> [String] {
    guard CodeReference.isMeant(by: line) else { return [] }
    guard let references = CodeReference.all(in: line) else {
      return ["a reference to code reads <!-- code: wrong File.swift#name | right Other.swift#name -->"]
    }
    return references.compactMap { reference in
      guard let source = read("\(lesson.folder)/\(reference.file)") else { return "\(reference.file) is missing" }
      return CodeExcerpt(of: source, named: reference.name) == nil
        ? "\(reference.file) has no marks // begin \(reference.name) and // end \(reference.name)" : nil
    }
  }

  /// Finds the faults of a line's links.
  private func links(_ line: String, _ language: Language) -> [String] {
    line.matches(of: /\]\(([^)#]+)#([^)]+)\)/).compactMap { link in
      let (file, anchor) = (String(link.output.1), String(link.output.2))
      guard file == "../\(language.file("glossary"))" else {
        return file.hasPrefix("../glossary") ? "the link \(file) leads to the glossary of another language" : nil
      }
      let words = read(language.file("glossary"))?.split(separator: "\n").filter { $0.hasPrefix("## ") } ?? []
      let isThere = words.contains { word in
        let name = word.dropFirst(3).lowercased().replacing(" ", with: "-")
        return name == anchor || name.hasPrefix(anchor + "-")
      }
      return isThere ? nil : "the glossary has no word “\(anchor)”"
    }
  }

  private func read(_ path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
