// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `exercise`, as a student would use it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ExerciseCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("student-\(UUID())")

  private func exercise(_ arguments: String...) async throws -> Command.Result {
    try await Command.run(["exercise"] + arguments + ["--folder", folder.path], environment: Command.cache)
  }

  @Test func `a student starts, checks, mends and passes`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let start = try await exercise("start", "4")
    #expect(start.status == .exited(0) && start.output.contains("lesson-04-memory-peak/task.md\n"))
    #expect(start.errors.contains("then: workbench exercise check 4 --folder '\(folder.path)'\n"), "\(start.errors)")
    let failing = try await exercise("check", "4")
    #expect(failing.status == .exited(1))
    #expect(failing.output.contains("✗ memory\n      wanted: growth of at most 8.0 MiB\n"), "\(failing.output)")
    #expect(try await exercise("solution", "4").status == .exited(64), "not passed yet")
    #expect(try await exercise("hint", "4", "--language", "zh-Hans").output.hasPrefix("提示 1（共 3 条）："))
    let lesson = folder.appendingPathComponent("lesson-04-memory-peak")
    let solution = try await exercise("solution", "4", "--reveal")
    #expect(solution.status == .exited(0) && solution.output.hasSuffix("explanation.md\n"))
    let mended = try Data(contentsOf: lesson.appendingPathComponent("Solution.swift"))
    try mended.write(to: lesson.appendingPathComponent("Exercise.swift"))
    #expect(try await exercise("check", "--all").status == .exited(0))
    #expect(try await exercise("list").output.contains("passed  A download that fits\n"))
    #expect(try await exercise("reset", "4").status == .exited(64), "it is passed")
    #expect(try await exercise("reset", "4", "--force").status == .exited(0))
    #expect(FileManager.default.fileExists(atPath: lesson.appendingPathComponent("Exercise.swift.1").path))
  }

  @Test func `JSON says what was wanted and measured, and a file that does not compile ends with 2`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await exercise("start", "4")
    let lesson = folder.appendingPathComponent("lesson-04-memory-peak/Exercise.swift")
    try Data("import SessionAPI\nlet a: Int = \"\"\n".utf8).write(to: lesson)
    let result = try await exercise("check", "4", "--json")
    #expect(result.status == .exited(2))
    let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(report["schema"] as? Int == 1 && report["score"] as? Int == 0 && report["points"] as? Int == 10)
    let exercise = try #require((report["exercises"] as? [[String: Any]])?.first)
    #expect(exercise["outcome"] as? String == "notCompiled")
    #expect((exercise["compiler"] as? String)?.contains("\(lesson.path):2:14: error: ") == true)
  }

  @Test func `an unknown exercise, and one that was not started, are usage errors`() async throws {
    let unknown = try await exercise("start", "99")
    #expect(
      unknown.status == .exited(64) && unknown.errors.contains("There is no exercise 99: they are numbered 1 to "))
    let early = try await exercise("check", "4")
    #expect(early.status == .exited(64) && early.errors.contains("Begin with: workbench exercise start 4"))
  }

  @Test func `results and hints are shown also where the folder takes no notes`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await exercise("start", "4")
    let notes = folder.appendingPathComponent(".workbench")
    try FileManager.default.removeItem(at: notes)
    try FileManager.default.createDirectory(
      at: notes.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    for (arguments, words) in [(["check", "4"], "✗ memory\n"), (["hint", "4"], "hint 1 of 3: ")] {
      let result = try await Command.run(
        ["exercise"] + arguments + ["--folder", folder.path], environment: Command.cache)
      #expect(result.output.contains(words), "\(result.output)")
      #expect(result.errors.contains("/.workbench cannot be written. Is there space, and may you write there?"))
    }
  }

  @Test func `a full disk is told before a program is blamed for it`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await exercise("start", "4")
    let full = Command.cache.merging(["TMPDIR": "/proc"]) { $1 }
    let result = try await Command.run("exercise", "check", "4", "--folder", folder.path, environment: full)
    #expect(result.status == .exited(3), "\(result.output)")
    #expect(result.errors.contains("/proc has 0 B free, and lesson-04 needs 144.0 MiB."), "\(result.errors)")
  }

  @Test func `no compiler, and a program in other bytes than UTF-8, are told with the cure`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await exercise("start", "4")
    let path = Command.cache.merging(["PATH": "/nowhere"]) { $1 }
    let result = try await Command.run("exercise", "check", "4", "--folder", folder.path, environment: path)
    #expect(result.status == .exited(3) && result.errors.contains("Install Swift as https://www.swift.org/"))
    let file = folder.appendingPathComponent("lesson-04-memory-peak/Exercise.swift")
    try Data([0x69, 10, 0xFF, 10]).write(to: file)
    let bytes = try await exercise("check", "4")
    #expect(
      bytes.status == .exited(2) && bytes.output.contains("is not UTF-8: line 2 has bytes that are no text. Save it"))
    #expect(try Data(contentsOf: file) == Data([0x69, 10, 0xFF, 10]), "it is left as it is")
  }
}
