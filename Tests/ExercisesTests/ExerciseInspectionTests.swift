// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct ExerciseInspectionTests {
  private let home: TestFolder

  init() throws {
    home = try .withNewExercise()
  }

  /// The faults, a line each.
  private var faults: [String] {
    ExerciseInspection.faults(below: home.url).map { "\($0.file):\($0.line): \($0.sentence)" }
  }

  @Test func `the workbench's own exercises are in order`() {
    #expect(ExerciseInspection.faults(below: LessonText().root).isEmpty)
  }

  @Test func `what a hint calls stands in a program of its exercise, which compiles, with its import`() throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    for exercise in course.exercises {
      let programs = try (["Exercise.swift", "Solution.swift"] + exercise.manifest.rights.map { "Rights/\($0)" }).map {
        try String(contentsOf: exercise.folder.appendingPathComponent($0), encoding: .utf8)
      }
      for hint in exercise.manifest.hints.flatMap({ hint in Language.allCases.map { hint($0) } }) {
        for call in hint.matches(of: /([A-Za-z]\w*)\(/).map({ String($0.1) }) {
          #expect(programs.contains { $0.contains(call) }, "\(exercise.id): \(call)")
          guard call.hasPrefix("CF"), !programs[0].contains("import CoreFoundation") else { continue }
          #expect(exercise.manifest.hints.contains { $0(.english).contains("import CoreFoundation") }, "\(exercise.id)")
        }
      }
    }
  }

  @Test func `an error of the manifest has file and line`() throws {
    try home.change("exercise.yml", "minutes: 10", "minuets: 10")
    let line = try #require(faults.first)
    #expect(faults.count == 1 && line.hasPrefix("mine/exercise/exercise.yml:") && line.hasSuffix("is not known here"))
    let manifest = try String(contentsOf: home.mine.appendingPathComponent("exercise.yml"), encoding: .utf8)
    let place = 1 + manifest.components(separatedBy: "minuets")[0].count { $0 == "\n" }
    #expect(line.hasPrefix("mine/exercise/exercise.yml:\(place): "))
  }

  @Test func `what is no YAML, and what is no UTF-8, has file and line`() throws {
    try home.write("format: 1\nid: [a\nhints: b\n".utf8, to: "mine/exercise/exercise.yml")
    #expect(faults.count == 1)
    #expect(faults[0].hasPrefix("mine/exercise/exercise.yml:3: this is no YAML: "), "\(faults)")
    try home.write(Array("format: 1\nid: ".utf8) + [0xFF, 10], to: "mine/exercise/exercise.yml")
    #expect(
      faults == [
        "mine/exercise/exercise.yml:2: these bytes are no UTF-8. Save the file as UTF-8 in your editor."
      ])
  }

  @Test func `texts that are missing, stray files and marks too many are named`() throws {
    try FileManager.default.removeItem(at: home.mine.appendingPathComponent("task.zh-Hans.md"))
    try FileManager.default.removeItem(at: home.mine.appendingPathComponent("Misses/Twice.swift"))
    try home.write("x".utf8, to: "mine/exercise/notes.txt")
    let mark = ["// TO", "DO"].joined()
    try home.change("Exercise.swift", "    task.resume()", "    task.resume()  \(mark)")
    let (all, place) = (faults, try line(of: "task.resume()", in: "Exercise.swift"))
    #expect(all.contains("mine/exercise/Exercise.swift:\(place): Exercise.swift has 2 lines with “\(mark)”, not one"))
    #expect(all.contains("mine/exercise/task.zh-Hans.md:1: task.zh-Hans.md is missing or says nothing"))
    #expect(all.contains("mine/exercise/notes.txt:1: there is a stray file notes.txt"))
    let misses = try line(of: "misses: {", in: "exercise.yml")
    #expect(all.contains("mine/exercise/exercise.yml:\(misses): Misses/Twice.swift is missing or says nothing"))
    #expect(all.count == 4, "\(all)")
  }

  @Test func `a task that does not say the limit is named in each language`() throws {
    try home.change("exercise.yml", "points: 10", "points: 10\nlimit: 12")
    #expect(
      faults == [
        "mine/exercise/task.md:1: task.md does not say how long a run may take: “has 12 s”",
        "mine/exercise/task.zh-Hans.md:1: task.zh-Hans.md does not say how long a run may take: “限时 12 秒”",
      ])
  }

  @Test func `two exercises of one id are named`() throws {
    try FileManager.default.copyItem(
      at: home.url.appendingPathComponent("mine"), to: home.url.appendingPathComponent("other"))
    #expect(faults == ["other/exercise/exercise.yml:1: “mine” has the id “mine”, too"])
  }

  private func line(of text: String, in file: String) throws -> Int {
    let source = try String(contentsOf: home.mine.appendingPathComponent(file), encoding: .utf8)
    return 1 + source.components(separatedBy: text)[0].count { $0 == "\n" }
  }
}
