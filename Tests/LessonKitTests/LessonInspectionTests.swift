// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

/// Lesson folders that are not in order: each fault is named with file and line.
@Suite struct LessonInspectionTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  private func lesson(_ claims: [String], needs: [String] = ["connection/a"]) -> Lesson {
    Lesson(
      number: 26, slug: "toy", title: "Toy", minutes: 1,
      examples: [Example("connection/a", .connection, "", file: "A.swift") { _ in }],
      claims: claims.map { Claim($0, needs: needs) { _ in Settlement(.confirmed, measured: "", bound: "") } })
  }

  private func write(_ text: String, _ path: String) throws {
    let file = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func faults(_ lesson: Lesson, leavingOut missing: String? = nil) throws -> [String] {
    defer { try? FileManager.default.removeItem(at: root) }
    let files = [
      "lesson.md": "# Toy\n\nN1-11\n", "lesson.zh-Hans.md": "# 玩具\n\nN1-11\n",
      "A.swift": "// first\nlet ids = [\n  \"N1-11\",\n]\n",
    ]
    for (name, text) in files where name != missing { try write(text, "lesson-26-toy/\(name)") }
    return LessonInspection([lesson], root: root).faults().map(\.description)
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
    #expect(
      try faults(lesson([]), leavingOut: "A.swift") == [
        "lesson-26-toy/A.swift:1: the source of connection/a is missing"
      ])
  }

  @Test func `a claim that belongs elsewhere or stands twice is named with its line`() throws {
    let found = try faults(lesson(["N1-11", "N1-11"]))
    #expect(found.contains("lesson-26-toy/A.swift:3: claim N1-11: the table of claims does not give it to this lesson"))
    #expect(found.contains("lesson-26-toy/A.swift:3: claim N1-11: it is settled twice"))
  }

  @Test func `a claim that no lesson settles is named`() throws {
    var empty = lesson([])
    empty.number = 18
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
