// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Subprocess
import Testing

@testable import Exercises

/// Hand-ins as students make them.
@Suite struct SubmissionTests {
  private let course: ExerciseCourse
  private let exercise: Exercise
  private let folder: TestFolder

  init() throws {
    course = try ExerciseCourse(folder: LessonText().root)
    exercise = try course.exercise(named: "4")
    folder = try TestFolder()
  }

  private func open(_ name: String = "") async throws -> Submission {
    let place = name.isEmpty ? folder.url : folder.url.appendingPathComponent(name)
    return try await Submission.opening(HandIn(at: place.path), of: course, for: [exercise])
  }

  /// Writes an archive with Python: each entry is a name with its text; a name that begins with “link:” is a link.
  private func pack(_ entries: [(String, String)], to name: String) async throws {
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
          for name, text in zip(sys.argv[2::2], sys.argv[3::2]):
              entry = zipfile.ZipInfo(name.removeprefix("link:"))
              entry.external_attr = (0o120777 if name.startswith("link:") else 0o100644) << 16
              archive.writestr(entry, text * 3000000 if name.startswith("large") else text)
      """
    let path = folder.url.appendingPathComponent(name).path
    let words = entries.flatMap { [$0.0, $0.1] }
    let result = try await Subprocess.run(
      .name("python3"), arguments: Arguments(["-W", "ignore", "-c", script, path] + words),
      output: .string(limit: 4096),
      error: .string(limit: 4096))
    try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
  }

  @Test(arguments: [
    "Exercise.swift", "Exercise (1).swift", "Lesson 4/mine.swift", "a/b/c/Übung.SWIFT",
    "lesson-04-memory-peak/Exercise (1).swift",
  ])
  func `one Swift file is the student's, whatever its name and folder`(_ name: String) async throws {
    let path = try folder.write("a".utf8, to: name)
    try folder.write("b".utf8, to: "report.pdf")
    try folder.write("b".utf8, to: "__MACOSX/._Exercise.swift")
    try folder.write("b".utf8, to: "__MACOSX/other.swift")
    try folder.write("b".utf8, to: ".build/hidden.swift")
    #expect(try await open().file(of: exercise)?.path == path)
  }

  @Test func `a file that is named itself is the student's, also in a folder with an exercise's name`() async throws {
    let path = try folder.write("a".utf8, to: "lesson-09-run-loop-modes/student-01.swift")
    #expect(try await open("lesson-09-run-loop-modes/student-01.swift").file(of: exercise)?.path == path)
  }

  @Test func `the file in the exercise's folder goes before all others`() async throws {
    try folder.write("a".utf8, to: "Solution.swift")
    let path = try folder.write("a".utf8, to: "x/lesson-04-memory-peak/Exercise.swift")
    #expect(try await open().file(of: exercise)?.path == path)
  }

  @Test func `another exercise's file is not taken`() async throws {
    try folder.write("a".utf8, to: "lesson-09-run-loop-modes/Exercise.swift")
    let submission = try await open()
    #expect(submission.file(of: exercise) == nil)
    #expect(
      submission.lack(of: exercise).description
        == "there is no lesson-04-memory-peak/Exercise.swift; found: lesson-09/Exercise.swift")
  }

  @Test func `what was found is said, some names of it, without what a terminal would obey`() async throws {
    #expect(try await open().lack(of: exercise).description.hasSuffix("Exercise.swift, and no other file"))
    for name in ["b.swift", "a.swift", "c\u{1B}[31m.pdf"] { try folder.write("a".utf8, to: name) }
    let found = try await open()
    #expect(found.file(of: exercise) == nil)
    #expect(
      found.lack(of: exercise).description
        == "there is no lesson-04-memory-peak/Exercise.swift, and 2 Swift files, of which it may be any; "
        + "found: a.swift, b.swift, c\u{FFFD}[31m.pdf")
    for number in 3...9 { try folder.write("a".utf8, to: "\(number).txt") }
    #expect(try await open().lack(of: exercise).description.hasSuffix("found: 3.txt, 4.txt, 5.txt, 6.txt, 7.txt, …"))
  }

  @Test(arguments: ["Exercise.swift", "Lesson 4\\deep\\mine.swift", "练习/Exercise (2).swift"])
  func `an archive is opened, and nothing of it stays`(_ name: String) async throws {
    try await pack(
      [("__MACOSX/a.swift", "b"), (".hidden/a.swift", "b"), (name, "text"), ("notes.txt", "c")], to: "work.zip")
    var opened: String?
    do {
      let submission = try await open()
      let file = try #require(submission.file(of: exercise))
      #expect(try String(contentsOf: file, encoding: .utf8) == "text")
      opened = file.path
    }
    #expect(!FileManager.default.fileExists(atPath: try #require(opened)))
    #expect(try await open("work.zip").file(of: exercise) != nil)
  }

  @Test(arguments: [
    ([("../a.swift", "a")], "is refused: its entry “../a.swift” leads out of it"),
    ([("/tmp/a.swift", "a")], "is refused: its entry “/tmp/a.swift” leads out of it"),
    ([("C:\\a.swift", "a")], "is refused: its entry “C:\\a.swift” leads out of it"),
    ([("a.swift", "a"), ("a.swift", "b")], "is refused: it holds “a.swift” twice"),
  ]) func `an archive with paths that lead elsewhere stays closed`(_ entries: [(String, String)], _ why: String)
    async throws
  {
    try await pack(entries, to: "work.zip")
    let submission = try await open("work.zip")
    #expect(submission.file(of: exercise) == nil)
    #expect(submission.lack(of: exercise).description == "“work.zip” \(why)")
  }

  @Test func `a link in an archive is no file`() async throws {
    try await pack([("link:Exercise.swift", "/etc/passwd")], to: "work.zip")
    let submission = try await open()
    #expect(submission.file(of: exercise) == nil)
    #expect(submission.lack(of: exercise).description.hasSuffix("found: Exercise.swift, work.zip"))
  }

  @Test func `of a program that is too large a mebibyte and a byte is written`() async throws {
    try await pack([("large.swift", " ")], to: "work.zip")
    let submission = try await open()
    let file = try #require(submission.file(of: exercise))
    #expect(try Data(contentsOf: file).count == (1 << 20) + 1)
    #expect(throws: LessonKitError.self) { _ = try StudentFile(reading: file.path) }
  }

  @Test func `an archive with too many entries or with anything but an archive in it stays closed`() async throws {
    try await pack((0...2000).map { ("\($0)", "") }, to: "many.zip")
    #expect(try await open().lack(of: exercise).description == "“many.zip” holds more than 2000 files")
    try folder.write("no archive".utf8, to: "many.zip")
    #expect(
      try await open().lack(of: exercise).description
        == "“many.zip” cannot be opened: it is damaged, or no zip archive")
  }
}
