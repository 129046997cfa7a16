// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct StudentFolderTests {
  private let home: TestFolder
  private let exercise: Exercise
  private let student: StudentFolder

  init() throws {
    home = try TestFolder()
    exercise = try ExerciseCourse(folder: LessonText(root: Course.folder).root).exercise(named: "4")
    student = StudentFolder(nil, current: home.url.path)
  }

  private var file: URL { student.file(of: exercise) }

  @Test func `an exercise is handed out once, and nothing is written over`() throws {
    #expect(student.state(of: exercise) == .new)
    let written = try student.start(exercise, in: .english)
    #expect(written.map(\.lastPathComponent) == ["Exercise.swift", "task.md"])
    #expect(file.path == home.url.path + "/workbench-exercises/lesson-04-memory-peak/Exercise.swift")
    try Data("mine".utf8).write(to: file)
    #expect(try student.start(exercise, in: .simplifiedChinese).isEmpty)
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    #expect(student.state(of: exercise) == .started)
  }

  @Test func `a reset keeps each of the student's files`() throws {
    #expect(try student.reset(exercise, in: .english) == nil)
    for (number, text) in [(1, "first"), (2, "second")] {
      try Data(text.utf8).write(to: file)
      let kept = try #require(try student.reset(exercise, in: .english))
      #expect(kept.lastPathComponent == "Exercise.swift.\(number)")
      #expect(try String(contentsOf: kept, encoding: .utf8) == text)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == exercise.text(of: "Exercise.swift"))
  }

  @Test func `notes say how far the student is, and their loss loses no program`() throws {
    _ = try student.start(exercise, in: .english)
    try student.checked(exercise, passed: true)
    #expect(student.state(of: exercise) == .passed)
    #expect(try student.nextHint(of: exercise) == 1)
    #expect(try (0..<5).map { _ in try student.nextHint(of: exercise) }.last == exercise.manifest.hints.count)
    let notes = student.url.appendingPathComponent(".workbench")
    #expect(try String(contentsOf: notes, encoding: .utf8).contains("lesson-04 passed hints=3"))
    try Data([0xFF, 0xFE, 0]).write(to: notes)
    #expect(student.state(of: exercise) == .started)
    #expect(StudentFolder(nil, current: student.url.path).url.path == student.url.path, "notes mark the folder")
  }

  @Test func `a folder that cannot be written to is named`() throws {
    let blocked = StudentFolder("/proc/nowhere")
    do throws(LessonKitError) {
      _ = try blocked.start(exercise, in: .english)
      Issue.record("something was written")
    } catch {
      #expect(error.code == .environment && error.description.contains("/proc/nowhere/lesson-04-memory-peak"))
    }
  }
}
