// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `exercise new`, `list` and `doctor --lessons`, as a teacher and a student would use them.
@Suite(.timeLimit(.minutes(3))) struct ExerciseTeachingTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("course-\(UUID())")

  @Test func `a teacher begins with an exercise that works, and is told how to go on`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = try await Command.run("exercise", "new", "lesson-28-my-topic", "--course", folder.path)
    #expect(new.status == .exited(0), "\(new.errors)")
    #expect(new.output.contains("\(folder.path)/lesson-28-my-topic/exercise/exercise.yml\n"))
    #expect(new.errors.contains("After each step: workbench exercise verify lesson-28 --course '\(folder.path)'"))
    let lesson = try await Command.run(
      "exercise", "new", "5", "--language", "zh-Hans", environment: ["WORKBENCH_COURSE": folder.path])
    #expect(lesson.output.contains("/lesson-05-delegate-progress/exercise/task.zh-Hans.md\n"))
    #expect(lesson.errors.contains("每改一步之后运行：workbench exercise verify lesson-05"), "\(lesson.errors)")
    let again = try await Command.run("exercise", "new", "05", "--course", folder.path)
    #expect(again.status == .exited(64) && again.errors.contains("is there already; nothing was written over it"))
    let list = try await Command.run("exercise", "list", "--course", folder.path, "--folder", folder.path)
    #expect(list.output.hasPrefix("lesson-05  10 min  new  The name in the document\nlesson-28  "), "\(list.output)")
  }

  @Test func `the table of lessons says how far each exercise is`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = try await states()
    #expect(Set(before.values) == ["new"], "each lesson has one")
    _ = try await Command.run("exercise", "start", "5", "--folder", folder.path)
    let after = try await states()
    #expect(after["lesson-05"] == "started" && after["lesson-04"] == "new")
    let table = try await Command.run("list", "--folder", folder.path, environment: ["COLUMNS": "80"]).output
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(
      table.split(separator: "\n").contains { $0.hasPrefix("05   Delegate and progress  ") && $0.contains("started") })
    let chinese = try await Command.run("list", "--folder", folder.path, "--language", "zh-Hans").output
    #expect(chinese.contains("已开始"))
  }

  @Test func `the doctor names what is wrong with an exercise, with file and line`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lessons = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Lessons").standardizedFileURL
    try FileManager.default.copyItem(at: lessons, to: folder)
    let manifest = folder.appendingPathComponent("lesson-05-delegate-progress/exercise/exercise.yml")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try Data(text.replacing("minutes: 20", with: "minutes: many").utf8).write(to: manifest)
    let place = 1 + text.components(separatedBy: "minutes: 20")[0].count { $0 == "\n" }
    let line = "lesson-05-delegate-progress/exercise/exercise.yml:\(place): here belongs a whole number from 1 to 600\n"
    let environment: [Environment.Key: String?] = ["WORKBENCH_LESSONS": folder.path]
    let files = try await Command.run("doctor", "--lessons", environment: environment)
    #expect(files.status == .exited(1) && files.output.contains(line), "\(files.output)")
    let machine = try await Command.run("doctor", environment: environment)
    #expect(machine.status == .exited(3) && machine.output.contains("✗ exercises: \(line)"), "\(machine.output)")
    #expect(machine.output.contains("✓ Swift compiler: /"))
    // `list` reads no exercise and says nothing; `exercise list` reads them and names the broken one.
    let list = try await Command.run("list", environment: environment)
    #expect(list.status == .exited(0) && list.errors.isEmpty, "\(list.errors)")
    let exercises = try await Command.run("exercise", "list", environment: environment)
    #expect(exercises.status != .exited(0) && exercises.errors.contains("exercise.yml:\(place): "))
  }

  private struct Row: Decodable {
    var id: String
    var exercise: String?
  }

  /// How far each exercise is, as `list` says.
  private func states() async throws -> [String: String] {
    let result = try await Command.run("list", "--folder", folder.path, "--json")
    let rows = try JSONDecoder().decode([Row].self, from: Data(result.output.utf8))
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.exercise ?? "") })
  }
}
