// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `Scripts/student-edition`: what a class gets.
@Suite(.timeLimit(.minutes(2))) struct StudentEditionTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("edition-\(UUID())")
  private let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scripts/student-edition")
    .standardizedFileURL.path

  private func make(_ arguments: String...) async throws -> Command.Result {
    let result = try await Subprocess.run(
      .path(FilePath(script)), arguments: Arguments([folder.path] + arguments), output: .string(limit: 1 << 16),
      error: .string(limit: 1 << 16))
    return Command.Result(
      status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
  }

  @Test func `it holds every exercise and no answer, and says where the solutions are`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let archive = folder.path + ".tar.gz"
    defer { try? FileManager.default.removeItem(atPath: archive) }
    let made = try await make("--archive", archive)
    #expect(made.status == .exited(0), "\(made.errors)")
    #expect(FileManager.default.fileExists(atPath: archive))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let exercises = files.count { $0.hasPrefix("Lessons/lesson-") && $0.hasSuffix("/exercise/Exercise.swift") }
    #expect(
      exercises == files.count { $0.hasPrefix("Lessons/lesson-") && $0.hasSuffix("/lesson.md") } && exercises > 20)
    #expect(!files.contains { $0.hasPrefix(".git/") })
    let answers = files.filter { file in
      file.hasPrefix("Lessons/lesson-")
        && ["Solution", "explanation", "Misses"].contains { file.contains("/exercise/\($0)") }
    }
    #expect(answers.isEmpty)
    for options in [[], ["--reveal"]] {
      let result = try await Command.run(
        ["exercise", "solution", "4", "--folder", folder.path + "/work"] + options,
        environment: ["WORKBENCH_LESSONS": folder.path + "/Lessons"])
      #expect(result.status == .exited(3))
      #expect(result.errors.contains("holds no solutions: your teacher has them. A hint: workbench exercise hint 4"))
    }
  }

  @Test func `a folder that holds something is left as it is`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("mine"))
    let made = try await make()
    #expect(made.status == .exited(64))
    #expect(made.errors.hasSuffix("holds something already. Name a folder that is new or empty.\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine"])
  }
}
