// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
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
    exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
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

  /// Lists the files beside the student's file, and reads the file's text.
  private func left() throws -> (names: [String], text: String) {
    let folder = file.deletingLastPathComponent().path
    return (
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
      try String(contentsOf: file, encoding: .utf8)
    )
  }

  @Test func `a reset that cannot write leaves the student's files as they were, and names what is in the way`() throws
  {
    _ = try student.start(exercise, in: .english)
    try Data("mine".utf8).write(to: file)
    // A folder in the place of the notes: no right helps to write there.
    let notes = student.url.appendingPathComponent(".workbench")
    try FileManager.default.removeItem(at: notes)
    try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: false)
    do throws(LessonKitError) {
      _ = try student.reset(exercise, in: .english)
      Issue.record("something was written")
    } catch {
      #expect(error.code == .environment && error.description.hasPrefix("\(notes.path) cannot be written. Is there "))
      #expect(error.description.hasSuffix(" Your own files are unchanged."))
    }
    #expect(try left() == (["Exercise.swift", "task.md"], "mine"))
  }

  @Test func `a folder in the place of the student's file is kept, too`() throws {
    _ = try student.start(exercise, in: .english)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(try student.reset(exercise, in: .english)?.lastPathComponent == "Exercise.swift.1")
    #expect(try left() == (["Exercise.swift", "Exercise.swift.1", "task.md"], exercise.text(of: "Exercise.swift")))
  }

  @Test(arguments: [
    (ENOSPC, "cannot be written: the disk is full. Free some space on it and call again."),
    (EROFS, "cannot be written: the system does not permit it. Make /a writable for you, or name another folder with"),
    (EIO, "cannot be written. Is there space, and may you write there? --folder names another folder."),
  ])
  func `why a file cannot be written comes with its cure`(_ code: Int32, _ words: String) {
    let error = student.cannotWrite(URL(fileURLWithPath: "/a/Exercise.swift"), code)
    #expect(error.description.hasPrefix("/a/Exercise.swift \(words)"), "\(error)")
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
