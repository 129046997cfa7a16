// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Pitfalls
import Testing

/// Lesson folders that are not in order: each fault is named with file and line.
@Suite struct LessonInspectionTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  private static let reference = "<!-- code: wrong A.swift#a -->"

  private func lesson(_ claims: [String], needs: [String] = ["connection/a"]) -> Lesson {
    var lesson = Lesson(
      number: 26, slug: "toy", title: "Toy", minutes: 1,
      examples: [Example("connection/a", .connection, "", file: "A.swift") { _ in }],
      claims: claims.map { Claim($0, needs: needs) { _ in Settlement(.confirmed, measured: "", bound: "") } })
    lesson.checks = ClaimTable.checks(ofLesson: 26).map { row in
      Claim(row.id, needs: ["connection/a"]) { _ in Settlement(.confirmed, measured: "", bound: "") }
    }
    lesson.prediction = Prediction("Which?", answers: ["one", "two"], right: 1, shownBy: "P26-01")
    return lesson
  }

  private func write(_ text: String, _ path: String) throws {
    let file = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func faults(_ lesson: Lesson, leavingOut missing: String? = nil, _ more: [String: String] = [:]) throws
    -> [String]
  {
    defer { try? FileManager.default.removeItem(at: root) }
    let files = [
      "lesson.md": "# Toy\n\nN1-11\n\(Self.reference)\n", "lesson.zh-Hans.md": "# 玩具\n\nN1-11\n\(Self.reference)\n",
      "A.swift": "// first\nlet ids = [\n  \"N1-11\",\n]\n// begin a\n// end a\n",
    ]
    for (name, text) in files where name != missing { try write(text, "lesson-26-toy/\(name)") }
    for (name, text) in more { try write(text, name) }
    try write(Self.catalogue(["Toy": "玩具", "Which?": "哪个？", "one": "一", "two": "二"]), "Texts/zh-Hans/all.yml")
    return LessonInspection([lesson], root: root).faults().map(\.description)
  }

  private static func catalogue(_ entries: [String: String]) -> String {
    let texts = ClaimTable.texts + Pitfall.allCases.flatMap(\.entry.texts)
    let all = Dictionary(texts.map { ($0, $0) }) { first, _ in first }
    return all.merging(entries) { $1 }.map { "\(quoted($0)): \(quoted($1))\n" }.sorted().joined()
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacingOccurrences(of: "\"", with: "\\\""))\""
  }

  @Test func `code whose marks are gone is named with its line`() throws {
    let found = try faults(
      lesson([]), ["lesson-26-toy/lesson.md": "# Toy\n\n<!-- code: wrong A.swift#b -->\n<!-- code: A.swift -->\n"])
    #expect(
      found == [
        "lesson-26-toy/lesson.md:3: A.swift has no marks // begin b and // end b",
        "lesson-26-toy/lesson.md:4: a reference to code reads "
          + "<!-- code: wrong File.swift#name | right Other.swift#name -->",
      ])
  }

  @Test func `a link to a word that the glossary lacks is named with its line`() throws {
    let found = try faults(
      lesson([]),
      [
        "glossary.md": "# Glossary\n\n## run loop\n",
        "lesson-26-toy/lesson.md":
          "# Toy\n\(Self.reference)\n[a](../glossary.md#run-loop) [b](../glossary.md#mode)\n"
          + "[c](../glossary.zh-Hans.md#run-loop)\n",
      ])
    #expect(
      found == [
        "lesson-26-toy/lesson.md:3: the glossary has no word “mode”",
        "lesson-26-toy/lesson.md:4: the link ../glossary.zh-Hans.md leads to the glossary of another language",
      ])
  }

  @Test func `a translation that leaves out a value is named with its line`() throws {
    let found = try faults(lesson([]), ["Texts/zh-Hans/b.yml": "# words\n\"{} of {}\": \"{2} 个\"\n"])
    #expect(found == ["Texts/zh-Hans/b.yml:2: “{} of {}” has 2 values, its translation 1"])
  }

  @Test func `a file of translations that is none is named with its line`() throws {
    let found = try faults(lesson([]), ["Texts/zh-Hans/b.yml": "\"a\": \"b\"\n\"c\": [1]\n"])
    #expect(found.count == 1 && found[0].hasPrefix("Texts/zh-Hans/b.yml:2: "))
  }

  @Test func `a lesson in order has no faults`() throws {
    #expect(try faults(lesson([])) == [])
  }

  @Test func `a missing language is named`() throws {
    #expect(
      try faults(lesson([]), leavingOut: "lesson.zh-Hans.md")
        == ["lesson-26-toy/lesson.zh-Hans.md:1: the text in the language zh-Hans is missing"])
  }

  @Test func `a missing source is named`() throws {
    let found = try faults(lesson([]), leavingOut: "A.swift")
    #expect(found.contains("lesson-26-toy/A.swift:1: the source of connection/a is missing"))
    #expect(found.contains("lesson-26-toy/lesson.md:4: A.swift is missing"))
  }

  @Test func `a claim that belongs elsewhere or stands twice is named with its line`() throws {
    let found = try faults(lesson(["N1-11", "N1-11"]))
    #expect(found.contains("lesson-26-toy/A.swift:3: claim N1-11: the table of claims does not give it to this lesson"))
    #expect(found.contains("lesson-26-toy/A.swift:3: claim N1-11: it is settled twice"))
  }

  @Test func `a claim that no lesson settles is named`() throws {
    var empty = lesson([])
    empty.number = 18
    empty.checks = []
    #expect(
      LessonInspection([empty], root: root).faults().contains {
        $0.sentence == "claim N1-37: no lesson settles it here"
      })
  }

  @Test func `a claim that needs an example which is not there is named`() throws {
    let found = try faults(lesson(["N1-11"], needs: ["connection/b"]))
    #expect(found.contains { $0.hasSuffix("claim N1-11: it needs connection/b, which is no example") })
  }

  @Test func `a folder of no lesson is named`() throws {
    try write("", "lesson-99-stray/lesson.md")
    #expect(try faults(lesson([])) == ["lesson-99-stray:1: no lesson of the course has this folder"])
  }
}
