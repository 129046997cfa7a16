// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// The gate over a new exercise with a fault in it.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ExerciseGateTests {
  private let home: TestFolder
  private let rules: FormatRules

  init() throws {
    home = try .withNewExercise()
    rules = try FormatRules(built: BuiltWorkbench())
  }

  private func faults() async throws -> [String] {
    let gate = ExerciseGate(try ExerciseChecker.ofTests(), rules: rules, repetitions: 1)
    return try await gate.faults(of: home.exercise()).map(\.sentence.description)
  }

  @Test func `a new exercise is in order`() async throws {
    #expect(try await faults().isEmpty)
  }

  @Test func `a check that a program passes which does nothing is named, with the cure`() async throws {
    try home.change("exercise.yml", "points: 10", "points: 13")
    try home.change(
      "exercise.yml", "checks:\n", "checks:\n  - {id: memory, kind: growth, at_most: 8MiB, points: 3}\n")
    #expect(
      try await faults() == [
        "exercise.yml: a program that does nothing gets 3 points by “memory”; let them count only together with a check "
          + "that the job was done, such as with: [file]",
        "Exercise.swift gets 7 of 13 points as it is handed out, and a tenth at most is right; let what it passes count only "
          + "together with what it fails, by start: [memory, request]",
      ])
    try home.change("exercise.yml", "points: 3}", "points: 3, with: [request, name]}")
    try home.change("exercise.yml", "start: [request]", "start: [request, memory]")
    #expect(try await faults().isEmpty)
  }

  @Test func `points for the program as it is handed out are named, with the cure`() async throws {
    try home.change("exercise.yml", "start: [request]\n", "")
    #expect(
      try await faults() == [
        "Exercise.swift gets 4 of 10 points as it is handed out, and a tenth at most is right; let what it passes count only "
          + "together with what it fails, by start: [request]"
      ])
    try home.change("exercise.yml", "fails_by: name", "start: [name]\nfails_by: name")
    #expect(try await faults() == ["Exercise.swift does not pass “name”, which `start` names"])
  }

  @Test func `a pitfall that is declared and not found is named, and one that is found and not declared`() async throws
  {
    try home.change("exercise.yml", "checks:\n", "pitfalls: {Exercise.swift: [never-resumed]}\nchecks:\n")
    #expect(
      try await faults() == ["Exercise.swift should have these pitfalls: never-resumed; its runs show: –"])
    let forgotten = "    _ = URLSession.shared.dataTask(with: app.url)\n    app.runApplication()"
    try home.change("Exercise.swift", "    app.runApplication()", forgotten)
    #expect(try await faults().isEmpty)
    try home.change("exercise.yml", "pitfalls: {Exercise.swift: [never-resumed]}\n", "")
    #expect(
      try await faults() == ["Exercise.swift should have these pitfalls: –; its runs show: never-resumed"])
  }

  @Test func `files that are not formatted are named, and the command that is named mends them`() async throws {
    for file in ["Solution.swift", "Misses/Twice.swift"] {
      try home.change(file, "import SessionAPI\n\n", "import SessionAPI\n\n\n\n")
    }
    try home.change("Exercise.swift", "    app.runApplication()", "   app.runApplication( )")
    let found = try await rules.faults(of: home.exercise(), ["Exercise.swift", "Solution.swift", "Misses/Twice.swift"])
    let words = found.map(\.description)
    #expect(words.count == 3, "\(words)")
    #expect(
      words[0].hasPrefix("Exercise.swift:19: it is not formatted by the rules: [Indentation] indent by 1 spaces; mend ")
    )
    #expect(words[1].hasPrefix("Solution.swift:4: it is not formatted by the rules: [RemoveLine] "))
    #expect(words[2].hasPrefix("Misses/Twice.swift:4: it is not formatted by the rules: [RemoveLine] "))
    for sentence in words {
      let command = try #require(sentence.components(separatedBy: "mend it with: ").last)
      let run = try await ToolRun("/bin/sh", ["-c", command])
      #expect(run.succeeded, "\(command): \(run.output)")
    }
    #expect(
      try await rules.faults(of: home.exercise(), ["Exercise.swift", "Solution.swift", "Misses/Twice.swift"]).isEmpty)
  }

  @Test func `the gate looks at the form of every program`() async throws {
    for file in ["Exercise.swift", "Solution.swift", "Misses/Twice.swift"] {
      try home.change(file, "    app.runApplication()", "     app.runApplication()")
    }
    let found = try await faults()
    #expect(
      found.map { String($0.prefix { $0 != ":" }) } == ["Exercise.swift", "Solution.swift", "Misses/Twice.swift"])
  }

  @Test func `a toolchain without the formatter is named, with the cure`() throws {
    for name in ["swiftc", "ar"] { try home.writeProgram("exit 0", to: "bin/\(name)") }
    let path = home.url.appendingPathComponent("bin").path
    do throws(LessonKitError) {
      _ = try FormatRules(built: BuiltWorkbench(), environment: ["PATH": path])
      Issue.record("a formatter was found")
    } catch {
      #expect(error.code == .environment)
      #expect(error.description.hasPrefix("swift-format does not lie beside swiftc. Install all of Swift's toolchain"))
    }
  }
}
