// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import Testing

/// `exercise check`, `exercise run` and `grade` with a course of two new exercises, which take no time.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ExerciseCheckCommandTests {
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("checked-\(UUID())")
  private var course: URL { home.appendingPathComponent("course") }
  /// A name that a shell does not take for one word.
  private var student: URL { home.appendingPathComponent("a student's") }

  private func run(_ arguments: String...) async throws -> Command.Result {
    try await Command.run(arguments + ["--course", course.path], environment: Command.cache)
  }

  /// Hands both exercises out, and mends the first one.
  private func begin() async throws -> Command.Result {
    try await Command.makeCourse(course)
    let start = try await run("exercise", "start", "--all", "--folder", student.path)
    try Data(contentsOf: course.appendingPathComponent("lesson-01-one/exercise/Solution.swift"))
      .write(to: student.appendingPathComponent("lesson-01-one/Exercise.swift"))
    return start
  }

  @Test func `a check of all fails by one of them, and one of the passed ones only by a step back`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let start = try await begin()
    let folder = student.path.replacing("'", with: "'\\''")
    #expect(
      start.errors.contains("workbench exercise check 2 --folder '\(folder)' --course '\(course.path)'\n"),
      "\(start.errors)")
    let all = try await run("exercise", "check", "--all", "--folder", student.path)
    #expect(all.status == .exited(1))
    #expect(all.output.contains("lesson-01 ") && all.output.contains("lesson-02 "), "\(all.output)")
    let before = try await run("exercise", "check", "--previous", "--folder", student.path)
    #expect(before.status == .exited(0) && !before.output.contains("lesson-02"), "\(before.output)")
    try Data(contentsOf: course.appendingPathComponent("lesson-01-one/exercise/Exercise.swift"))
      .write(to: student.appendingPathComponent("lesson-01-one/Exercise.swift"))
    #expect(try await run("exercise", "check", "--previous", "--folder", student.path).status == .exited(1))
  }

  @Test func `exercise run shows the report of run, without any check`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    _ = try await begin()
    let result = try await run("exercise", "run", "1", "--folder", student.path)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("A program of your own") && !result.output.contains("points"), "\(result.output)")
  }

  @Test func `grade writes each form, two exercises at a time, and the last output file named counts`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    _ = try await begin()
    let (first, last) = (home.appendingPathComponent("results.json"), home.appendingPathComponent("report.xml"))
    let junit = try await run(
      "grade", student.path, "--output", first.path, "--format", "junit", "--jobs", "2", "--output", last.path)
    #expect(junit.status == .exited(0), "\(junit.errors)")
    #expect(!FileManager.default.fileExists(atPath: first.path))
    let xml = try String(contentsOf: last, encoding: .utf8)
    #expect(xml.contains(#"<testsuite name="lesson-01" tests="2" failures="0" errors="0" time="#), "\(xml)")
    #expect(xml.contains(#"<testsuite name="lesson-02" tests="2" failures="2" errors="0" time="#), "\(xml)")
    let gradescope = try await run("grade", student.path, "--format", "gradescope")
    let object = try JSONSerialization.jsonObject(with: Data(gradescope.output.utf8)) as? [String: Any]
    let tests = try #require(object?["tests"] as? [[String: Any]])
    #expect(object?["score"] as? Int == 10 && tests.compactMap { $0["score"] as? Int }.reduce(0, +) == 10)
  }
}
