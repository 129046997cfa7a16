// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct SourceEditTests {
  private static let base = "one\ntwo\n\nfour\nfive\nsix\n"
  private static let head = "--- Solution.swift\n+++ Twice.swift\n"
  private static let twoHunks = "@@ -2,2 +2 @@\n two\n-\n@@ -5,2 +4,3 @@\n-five\n+5\n+V\n six\n"

  /// Returns the result of an edit with these hunks on the base, or the edit's fault.
  private func result(_ hunks: String, head: String = head, base: String = base) -> String {
    do throws(LessonKitError) {
      return try SourceEdit(parsing: head + hunks, file: "Twice.edit", making: "Twice.swift").applied(to: base)
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    (twoHunks, "one\ntwo\nfour\n5\nV\nsix\n"),
    ("@@ -1 +1 @@ func one()\n-one\n+1\n", "1\ntwo\n\nfour\nfive\nsix\n"),
    ("@@ -0,0 +1 @@\n+zero\n", "zero\none\ntwo\n\nfour\nfive\nsix\n"),
    ("@@ -6,0 +7 @@\n+seven\n", "one\ntwo\n\nfour\nfive\nsix\nseven\n"),
    ("@@ -2,3 +2,3 @@\n two\n\n-four\n+4\n", "one\ntwo\n\n4\nfive\nsix\n"),
    ("@@ -2,3 +2,3 @@\n two\n \n-four\n+4\n", "one\ntwo\n\n4\nfive\nsix\n"),
    ("@@ -6 +6 @@\n-six\n+six\n\\ No newline at end of file\n", "one\ntwo\n\nfour\nfive\nsix"),
    ("@@ -6 +6 @@\n-six\n+six\n\\ Kein Zeilenumbruch am Dateiende.", "one\ntwo\n\nfour\nfive\nsix"),
    ("@@ -1,6 +0,0 @@\n-one\n-two\n-\n-four\n-five\n-six\n", ""),
  ])
  func `an edit that fits makes its program`(_ hunks: String, _ program: String) {
    #expect(result(hunks) == program)
    #expect(result(hunks, head: "--- Solution.swift\t2026-01-01 00:00\n+++ Misses/Twice.swift\t2026\n") == program)
  }

  @Test func `bytes are compared and kept, not letters`() {
    let hunks = "@@ -1 +1 @@\n-caf\u{E9}\n+cafe\n"
    #expect(result(hunks, base: "caf\u{E9}\ne\u{301}\r\n") == "cafe\ne\u{301}\r\n")
    #expect(result(hunks, base: "cafe\u{301}\n").hasPrefix("Twice.edit, hunk 1: line 1 of Solution.swift is “"))
    #expect(result("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", base: "a") == "b\n")
  }

  @Test(arguments: [
    ("@@ -1 +1 @@\n-One\n+1\n", "line 1 of Solution.swift is “one”, not “One”"),
    ("@@ -2,2 +2 @@\n-one\n two\n", "line 2 of Solution.swift is “two”, not “one”"),
    ("@@ -6,2 +6 @@\n six\n-seven\n", "Solution.swift has no line 7"),
    ("@@ -9 +9 @@\n-nine\n+9\n", "Solution.swift has no line 9"),
    ("@@ -7,0 +8 @@\n+eight\n", "Solution.swift has no line 7"),
    ("@@ -\(Int.max),0 +1 @@\n+x\n", "Solution.swift has no line \(Int.max)"),
    ("@@ -2 +1 @@\n-two\n+2\n", "the lines that its head names do not follow from the hunks before it"),
    ("@@ -2 +\(Int.max) @@\n-two\n+2\n", "the lines that its head names do not follow from the hunks before it"),
    ("@@ -1 +1 @@\n-one\n+1\n\\ No newline at end of file\n", "a line that is not the last one lacks its end"),
  ])
  func `an edit of another text is refused with hunk and line`(_ hunks: String, _ what: String) {
    #expect(result(hunks) == "Twice.edit, hunk 1: \(what)")
  }

  @Test func `hunks that overlap are refused, the second by its number`() {
    #expect(
      result("@@ -2,2 +2 @@\n two\n-\n@@ -3 +3 @@\n-\n+3\n")
        == "Twice.edit, hunk 2: the lines that its head names do not follow from the hunks before it")
  }

  @Test(arguments: [
    "", "@@\n", "@@ -1 +1\n-one\n+1\n", "@@ -1, +1 @@\n-one\n+1\n", "@@ -0 +1 @@\n-one\n+1\n",
    "@@ -1 +0 @@\n-one\n+1\n",
    "@@ -1 +1 @@", "@@ -99999999999999999999 +1 @@\n-one\n+1\n", "@@ -1,99999999999999999999 +1 @@\n-one\n+1\n",
    "@@ -١ +1 @@\n-one\n+1\n", "@@ -1 +1 @@\r\n-one\r\n+1\r\n", "-one\n+1\n", "*** 1,2 ****\n",
  ])
  func `a hunk without a head is refused, and so is an edit without a hunk`(_ hunks: String) {
    #expect(result(hunks) == "Twice.edit, line 3: here belongs the head of a hunk, such as @@ -3,2 +3,4 @@")
  }

  @Test(arguments: [
    ("@@ -1,2 +1 @@\n-one\n+1\n", 2, 1), ("@@ -1 +1,2 @@\n-one\n+1\n", 1, 2), ("@@ -1 +1 @@\n-one\n-two\n+1\n", 1, 1),
    ("@@ -1 +1 @@\n-one\n", 1, 1), ("@@ -1 +1 @@\n", 1, 1), ("@@ -1 +1 @@\n-one\nx1\n", 1, 1),
    ("@@ -1 +1 @@\n-one\n+1", 1, 1), ("@@ -1,\(Int.max) +1,\(Int.max) @@\n one\n", Int.max, Int.max),
    ("@@ -1,2 +1,2 @@\n-one\n+1\n@@ -2 +2 @@\n-two\n+2\n", 2, 2),
  ])
  func `a head whose counts lie is refused`(_ hunks: String, _ old: Int, _ new: Int) {
    #expect(
      result(hunks) == "Twice.edit, line 3: the hunk does not have the \(old) and \(new) lines that its head promises")
  }

  @Test func `a line too many is taken for the next head`() {
    #expect(result("@@ -1 +1 @@\n-one\n+1\n two\n").hasPrefix("Twice.edit, line 6: here belongs the head of a hunk"))
  }

  @Test(arguments: ["", "\n", "-- \n", "--- \n", "--- \t\n", "diff a b\n--- Solution.swift\n", "--- Solution.swift"])
  func `an edit that names no base is refused`(_ head: String) {
    let what = "here belongs “--- ” before the name of the program that the edit changes"
    #expect(result("", head: head) == "Twice.edit, line 1: \(what)")
  }

  @Test(arguments: ["", "+++ \n", "+++ Once.swift\n", "+++ NotTwice.swift\n", "+++ Twice.swift", "@@ -1 +1 @@\n"])
  func `an edit that makes another program is refused`(_ second: String) {
    #expect(
      result("", head: "--- Solution.swift\n\(second)") == "Twice.edit, line 2: here belongs “+++ Twice.swift”")
  }

  @Test func `an edit with any byte changed or cut off is refused or makes a program, and ends nothing`() {
    let bytes = Array((Self.head + Self.twoHunks).utf8)
    for place in bytes.indices {
      #expect(result("", head: String(decoding: bytes[..<place], as: UTF8.self)) != result(Self.twoHunks))
      for byte in Array(" \n\r\\+-@09,x".utf8) + [0, 0xCC] {
        var changed = bytes
        changed[place] = byte
        let result = result("", head: String(decoding: changed, as: UTF8.self))
        // No hunk takes the fourth line, so each program still has it.
        #expect(result.hasPrefix("Twice.edit, ") || result.contains("\nfour\n"), "\(place) \(byte)")
      }
    }
  }
}

/// Near misses that are kept as edits, in a course.
@Suite struct NearMissTests {
  private let home: TestFolder

  init() throws {
    home = try .withNewExercise()
  }

  /// Keeps the near miss Twice.swift as an edit of `base` that changes its first line.
  private func writeEdit(of base: String, first: String = "// SPDX-License-Identifier: Apache-2.0") throws {
    try FileManager.default.removeItem(at: home.mine.appendingPathComponent("Misses/Twice.swift"))
    let text = "--- \(base)\n+++ Twice.swift\n@@ -1 +1 @@\n-\(first)\n+// Twice\n"
    try home.write(text.utf8, to: "mine/exercise/Misses/Twice.edit")
  }

  @Test func `every near miss of the workbench's exercises is read, whole or as an edit`() throws {
    for exercise in try ExerciseCourse(folder: LessonText().root).exercises {
      let files = try FileManager.default.contentsOfDirectory(atPath: exercise.path(of: "Misses"))
      let names = files.map { $0.replacing(/\.edit$/, with: ".swift") }
      #expect(Set(names) == Set(exercise.manifest.misses.keys) && names.count == exercise.manifest.misses.count)
      for name in names {
        let program = try exercise.text(of: "Misses/\(name)")
        #expect(program.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(exercise.id) \(name)")
        #expect(program.contains("\nenum Exercise {\n") && program.hasSuffix("}\n"), "\(exercise.id) \(name)")
      }
    }
  }

  @Test func `a near miss is whole or an edit, and not both`() throws {
    let whole = try home.exercise().text(of: "Misses/Twice.swift")
    #expect(try home.exercise().edit(making: "Misses/Twice.swift") == nil)
    try writeEdit(of: "Solution.swift")
    #expect(ExerciseInspection.faults(below: home.url).isEmpty)
    let made = try home.exercise().text(of: "Misses/Twice.swift")
    let solution = try home.exercise().text(of: "Solution.swift")
    #expect(made.split(separator: "\n").dropFirst() == solution.split(separator: "\n").dropFirst())
    #expect(made.hasPrefix("// Twice\n"))
    try home.write(whole.utf8, to: "mine/exercise/Misses/Twice.swift")
    #expect(try home.exercise().text(of: "Misses/Twice.swift") == whole)
    #expect(
      ExerciseInspection.faults(below: home.url).map(\.sentence.description)
        == ["there is a stray file Misses/Twice.edit"])
  }

  @Test(arguments: ["Misses/AnotherKey.swift", "../exercise/Solution.swift", "/etc/hostname", "Rights/None.swift"])
  func `only what is handed out and what passes can be changed`(_ base: String) throws {
    try writeEdit(of: base)
    let what = "“\(base)” is none of the programs that an edit may change: Exercise.swift, Solution.swift"
    #expect(
      ExerciseInspection.faults(below: home.url).map(\.sentence.description) == ["Misses/Twice.edit, line 1: \(what)"])
  }

  @Test func `an edit that does not fit its base is named with hunk and lines, and the gate goes on`() async throws {
    try writeEdit(of: "Exercise.swift", first: "import Foundation")
    let what = "line 1 of Exercise.swift is “// SPDX-License-Identifier: Apache-2.0”, not “import Foundation”"
    let sentence = "Misses/Twice.edit, hunk 1: \(what)"
    let faults = ExerciseInspection.faults(below: home.url)
    #expect(faults.map(\.file) == ["mine/exercise/Misses/Twice.edit"])
    #expect(faults.map(\.sentence.description) == [sentence])
    let gate = ExerciseGate(
      try ExerciseChecker.ofTests(), rules: try FormatRules(built: BuiltWorkbench()), repetitions: 1)
    let found = try await gate.faults(of: home.exercise()).map(\.sentence.description)
    #expect(found.count == 2 && found[0] == sentence && found[1].contains(sentence), "\(found)")
  }

  @Test func `the gate runs the program that an edit makes, and looks at its form`() async throws {
    try writeEdit(of: "Solution.swift")
    let gate = ExerciseGate(
      try ExerciseChecker.ofTests(), rules: try FormatRules(built: BuiltWorkbench()), repetitions: 1)
    let passing = try await gate.faults(of: home.exercise()).map(\.sentence.description)
    #expect(passing.count == 1 && passing[0].hasPrefix("Misses/Twice.swift, run 1 of 1, should fail by “request”: "))
    let edit = "--- Solution.swift\n+++ Twice.swift\n@@ -1 +1,3 @@\n // SPDX-License-Identifier: Apache-2.0\n+\n+\n"
    try home.write(edit.utf8, to: "mine/exercise/Misses/Twice.edit")
    let found = try await FormatRules(built: BuiltWorkbench()).faults(of: home.exercise(), home.exercise().programs)
    let start = "Misses/Twice.edit: line 1 of the program that it makes is not formatted by the rules: "
    #expect(found.map { $0.description.hasPrefix(start) } == [true], "\(found)")
  }
}
