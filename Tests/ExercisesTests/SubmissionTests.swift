// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
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

  private func pack(_ entries: [(String, String)], to name: String) async throws {
    try await folder.pack(entries, to: name)
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

  @Test(arguments: [
    (["Exercise.swift": "a", "notes.txt": "b"], ""),
    (["Exercise.swift.txt": "a"], "“Exercise.swift.txt” is taken as a Swift file; it should end with .swift."),
    (
      ["Exercise.swift": "a", "Exercise (1).swift": "a"],
      "“Exercise (1).swift” counts; the hand-in has 2 files with the same bytes."
    ),
    (
      ["p/Package.swift": "a", "p/Sources/main.swift": "b", "p/Sources/Exercise.swift": "c"],
      "The hand-in is a Swift package with 3 Swift files, of which “Exercise.swift” counts."
    ),
  ]) func `what is taken without being asked for is said`(_ files: [String: String], _ remark: String) async throws {
    for (name, text) in files { try folder.write(text.utf8, to: name) }
    let submission = try await open()
    #expect(submission.file(of: exercise) != nil && submission.remark(on: exercise).description == remark)
  }

  @Test(arguments: [
    ["Exercise.swift": "a", "Exercise (1).swift": "b"],
    ["lesson-04-memory-peak/Exercise.swift": "a", "Exercise.swift": "b"],
    ["Exercise.swift": "a", "main.swift": "b"],
    ["p/Package.swift": "a", "Exercise.swift": "b", "p/Exercise.swift": "c"],
    ["report.pdf": "a"], ["Exercise.swift.rar": "a"], ["work.zip": "no archive"],
  ]) func `what a person has to decide is undecided, and never missing`(_ files: [String: String]) async throws {
    for (name, text) in files { try folder.write(text.utf8, to: name) }
    let submission = try await open()
    #expect(submission.file(of: exercise) == nil && submission.lack(of: exercise).outcome == .undecided)
  }

  @Test func `of several exercises one is missing where the others lie in their folders, else undecided`() async throws
  {
    let other = try course.exercise(named: "9")
    try folder.write("a".utf8, to: "lesson-09-run-loop-modes/exercise.swift")
    try folder.write("a".utf8, to: "lesson-09-run-loop-modes/task.md")
    let handIn = HandIn(at: folder.url.path)
    var submission = try await Submission.opening(handIn, of: course, for: [exercise, other])
    #expect(submission.file(of: other) != nil && submission.lack(of: exercise).outcome == .missing)
    try folder.write("a".utf8, to: "Exercise.swift")
    submission = try await Submission.opening(handIn, of: course, for: [exercise, other])
    #expect(submission.file(of: other) != nil && submission.lack(of: exercise).outcome == .undecided)
  }

  @Test func `another exercise's file is not taken`() async throws {
    try folder.write("a".utf8, to: "lesson-09-run-loop-modes/Exercise.swift")
    let submission = try await open()
    #expect(submission.file(of: exercise) == nil)
    #expect(
      submission.lack(of: exercise).why.description
        == "there is no lesson-04-memory-peak/Exercise.swift; found: lesson-09/Exercise.swift")
  }

  @Test func `what was found is said, some names of it, without what a terminal would obey`() async throws {
    #expect(try await open().lack(of: exercise).why.description.hasSuffix("Exercise.swift, and no other file"))
    for number in 3...9 { try folder.write("a".utf8, to: "\(number).txt") }
    #expect(
      try await open().lack(of: exercise).why.description
        == "there is no lesson-04-memory-peak/Exercise.swift; found: 3.txt, 4.txt, 5.txt, 6.txt, 7.txt, …")
    for name in ["b.swift", "a.swift", "c\u{1B}[31m.swift"] { try folder.write(name.utf8, to: name) }
    let found = try await open()
    #expect(found.file(of: exercise) == nil)
    #expect(
      found.lack(of: exercise).why.description
        == "there is no lesson-04-memory-peak/Exercise.swift, and 3 Swift files, of which it may be any; "
        + "found: a.swift, b.swift, c\u{FFFD}[31m.swift")
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
    #expect(submission.lack(of: exercise).why.description == "“work.zip” \(why)")
  }

  @Test func `a link in an archive is no file`() async throws {
    try await pack([("link:Exercise.swift", "/etc/passwd")], to: "work.zip")
    let submission = try await open()
    #expect(submission.file(of: exercise) == nil)
    #expect(submission.lack(of: exercise).why.description.hasSuffix("found: Exercise.swift, work.zip"))
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
    #expect(try await open().lack(of: exercise).why.description == "“many.zip” holds more than 2000 files")
    try folder.write("no archive".utf8, to: "many.zip")
    #expect(
      try await open().lack(of: exercise).why.description
        == "“many.zip” cannot be opened: it is damaged, or no zip archive")
  }
}
