// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

@Suite struct ExerciseManifestTests {
  private static let valid = """
    format: 1
    id: lesson-04
    title: {en: "A", zh-Hans: "甲"}
    sides: [session]
    minutes: 5
    points: 10
    hints: [{en: "a", zh-Hans: "甲"}, {en: "b", zh-Hans: "乙"}]
    checks:
      - {id: file, kind: file, name: download, points: 4}
      - {id: memory, kind: growth, at_most: 8MiB, points: 6, with: [file]}
    fails_by: memory
    """

  private func error(_ change: (String, String)) throws -> String {
    let text = Self.valid.replacing(change.0, with: change.1)
    try #require(text != Self.valid)
    do throws(LessonKitError) {
      _ = try ExerciseManifest(parsing: text, file: "exercise.yml")
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `a manifest says what is checked and what it is worth`() throws {
    let manifest = try ExerciseManifest(parsing: Self.valid, file: "exercise.yml")
    #expect(manifest.points == 10 && manifest.repetitions == 2 && manifest.limit == .seconds(10))
    #expect(manifest.checks.map(\.rule.title) == ["the file “\("download")”", "memory"])
    #expect(manifest.checks[1].rule.wanted.description == "growth of at most 8.0 MiB")
    #expect(manifest.cases.map(\.id) == ["run"])
    #expect(manifest.title(.simplifiedChinese) == "甲")
  }

  @Test func `a later format is refused with both numbers`() throws {
    #expect(
      try error(("format: 1", "format: 2"))
        == "exercise.yml:1: this course has format 2, and this workbench understands formats up to 1. Use a newer workbench."
    )
  }

  @Test(arguments: [
    ("minutes: 5", "minutes: no", "exercise.yml:5: here belongs a whole number from 1 to 600"),
    ("points: 10", "points: 9", "exercise.yml:6: its checks' points make 10, not 9"),
    ("fails_by: memory", "fails_by: time", "exercise.yml:11: “time” is no check of this exercise and no outcome"),
    ("kind: growth", "kind: grwth", "exercise.yml:10: there is no kind of check “grwth”"),
    ("8MiB", "8MB", "exercise.yml:10: here belongs a size such as 64KiB or 8MiB"),
    ("at_most: 8MiB, ", "", "exercise.yml:10: the key “at_most” is missing"),
    (
      "with: [file]", "with: [fil]",
      "exercise.yml:10: `with` names other checks, and “fil” is none"
    ),
    (
      "points: 4", "points: 4, with: [memory]",
      "exercise.yml:9: `with` names “memory”, which counts only with “file”; name that one, too"
    ),
    ("sides: [session]", "sides: [foundation]", "exercise.yml:4: a side is connection or session"),
    (
      "fails_by: memory", "start: [fil]\nfails_by: memory",
      "exercise.yml:11: “fil” is no check of this exercise"
    ),
    (
      "fails_by: memory", "start: [file, memory]\nfails_by: memory",
      "exercise.yml:11: the file that is handed out passes every check: nothing is left to do"
    ),
    (
      "id: lesson-04", "id: lesson 04",
      "exercise.yml:2: “lesson 04” is no id: one has small letters from a to z, digits and hyphens alone"
    ),
    ("minutes: 5", "minuets: 5", "exercise.yml:5: the key “minuets” is not known here"),
    ("id: memory", "id: file", "exercise.yml:10: there are two checks “file”"),
    (#"en: "A", "#, "", "exercise.yml:3: the key “en” is missing"),
    (
      "minutes: 5", "minutes: 5\npitfalls: {Exercise.swift: [resumed]}",
      "exercise.yml:6: “resumed” is no pitfall: “workbench pitfalls” lists them"
    ),
    (
      "minutes: 5", "minutes: 5\npitfalls: {Misses/A.swift: [never-resumed]}",
      "exercise.yml:6: “Misses/A.swift” is no program of this exercise, such as Exercise.swift, Solution.swift"
    ),
    ("minutes: 5", "minutes: 5\nshorter_by: 1MiB", "exercise.yml:6: a body cannot be shorter by all that it has"),
  ])
  func `what is wrong is named with file and line`(_ old: String, _ new: String, _ sentence: String) throws {
    #expect(try error((old, new)) == sentence)
  }

  @Test func `text that is no YAML is named with its place`() throws {
    #expect(try error(("format: 1", "format: [1")).hasPrefix("exercise.yml:2: this is no YAML: "))
  }

  @Test func `a course finds its exercises by any name, and names what there is`() throws {
    let folder = try TestFolder()
    try folder.write(Self.valid.utf8, to: "lesson-04-memory-peak/exercise/exercise.yml")
    let course = try ExerciseCourse(folder: folder.url)
    for name in ["4", "04", "lesson-04", "memory-peak", "Lesson-04-Memory-Peak"] {
      #expect(try course.exercise(named: name).id == "lesson-04")
    }
    let unknown = #expect(throws: LessonKitError.self) { _ = try course.exercise(named: "memory-peek") }
    #expect(
      unknown?.description
        == "There is no exercise “memory-peek”. The closest is lesson-04 (memory-peak). “workbench exercise list” shows all."
    )
    try folder.write(Self.valid.utf8, to: "other/exercise/exercise.yml")
    #expect(throws: LessonKitError.self) { _ = try ExerciseCourse(folder: folder.url) }
    #expect(throws: LessonKitError.self) { _ = try ExerciseCourse(folder: TestFolder().url) }
  }
}
