// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct GradeFormatTests {
  private let report: GradeReport

  init() throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    var failed = ExerciseResult(try course.exercise(named: "4"), .failed)
    failed.checks = [
      CheckResult(
        id: "file", title: "the file", passed: true, wanted: "a", measured: "a", outside: true, points: 4),
      CheckResult(
        id: "memory", title: "memory", passed: false, wanted: "\"<8\" & less", measured: "\u{1}9", outside: true,
        points: 6),
    ]
    let crashed = ExerciseResult(try course.exercise(named: "9"), .crashed, why: "SIGILL: no")
    report = GradeReport([failed, crashed])
  }

  @Test func `the score is the sum of the checks that hold, and 0 without an end`() {
    #expect(report.score == 4 && report.points == 20)
  }

  @Test func `checks that agree decide, and those that do not leave the exercise undecided and without points`() throws
  {
    let first = report.exercises[0]
    var other = first
    other.checks[1].passed = true
    other.outcome = .passed
    #expect(ExerciseResult(undecidedBy: [first, first]) == nil)
    let undecided = try #require(ExerciseResult(undecidedBy: [first, other]))
    #expect(undecided.outcome == .undecided && undecided.score == 0)
    #expect(
      undecided.why.description
        == "check 2 gave 10 points (passed), an earlier one 4 (not passed yet); a teacher decides")
  }

  @Test func `JSON has the model`() throws {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["schema", "score", "points", "exercises"])
    let first = try #require((object["exercises"] as? [[String: Any]])?.first)
    #expect(
      Set(first.keys) == [
        "id", "title", "score", "points", "seconds", "outcome", "why", "checks", "compiler", "advice",
      ])
    let check = try #require((first["checks"] as? [[String: Any]])?.last)
    #expect(Set(check.keys) == ["id", "title", "passed", "wanted", "measured", "outside", "points"])
    #expect(check["passed"] as? Bool == false)
  }

  @Test func `JUnit has a case for each check, and no character that XML refuses`() {
    let text = GradeFormat.junit.text(of: report)
    #expect(text.contains("<testsuite name=\"lesson-04\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.00\">"))
    #expect(text.contains("<failure message=\"wanted &quot;&lt;8&quot; &amp; less; measured \u{FFFD}9\"/>"))
    #expect(text.contains("<failure message=\"crashes: SIGILL: no\"/>"))
  }

  /// Compares the reports that `Scripts/Readers/run` gives to readers of other people's with the stored ones.
  /// RECORD_SNAPSHOTS=1 writes them again.
  @Test(arguments: [(GradeFormat.junit, "grade.junit.xml"), (.json, "grade.json")])
  func `the reports are those that other people's readers are tried with`(_ format: GradeFormat, _ name: String) throws
  {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name)")
    let text = format.text(of: report)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" { try Data(text.utf8).write(to: golden) }
    #expect(try String(contentsOf: golden, encoding: .utf8) == text)
  }

  @Test func `Gradescope gets a test for each check, and one for an exercise without checks`() throws {
    let text = GradeFormat.gradescope.text(of: report, visibility: .afterPublished)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let tests = try #require(object["tests"] as? [[String: Any]])
    #expect(tests.map { $0["score"] as? Int } == [4, 0, 0])
    #expect(tests.map { $0["max_score"] as? Int } == [4, 6, 10])
    #expect(tests.map { $0["status"] as? String } == ["passed", "failed", "failed"])
    #expect(tests.map { $0["visibility"] as? String } == Array(repeating: "after_published", count: 3))
    #expect(tests[1]["name"] as? String == "lesson-04 memory: memory")
    #expect(tests[2]["output"] as? String == "crashes: SIGILL: no")
    #expect(object["score"] as? Int == 4)
  }

  @Test func `text ends with the total`() {
    #expect(GradeFormat.text.text(of: report).hasSuffix("lesson-09: crashed, 0/10\n  SIGILL: no\ntotal: 4/20\n"))
  }

  @Test(arguments: [GradeFormat.text, .junit, .gradescope])
  func `what a student reads is in the student's language`(_ format: GradeFormat) throws {
    let chinese = try StringCatalogue(.simplifiedChinese, root: LessonText().root)
    let text = format.text(of: report, in: chinese)
    #expect(text.contains("要求 ") && text.contains("；测得 "))
    #expect(!text.contains("wanted") && !text.contains("crashes"))
  }

  @Test func `a submission has each exercise once, and no link leads out of it`() throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    let exercise = try course.exercise(named: "4")
    let folder = try TestFolder()
    let path = try folder.write("a".utf8, to: "a/b/\(exercise.name)/Exercise.swift")
    let submission = try Submission(folder.url, of: course)
    #expect(submission.file(of: exercise)?.path == path)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("lesson-09-run-loop-modes"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("lesson-09-run-loop-modes/Exercise.swift"),
      withDestinationURL: URL(fileURLWithPath: path))
    #expect(try Submission(folder.url, of: course).file(of: course.exercise(named: "9")) == nil)
    try folder.write("b".utf8, to: "c/\(exercise.name)/Exercise.swift")
    #expect(throws: LessonKitError.self) { _ = try Submission(folder.url, of: course) }
  }

  @Test func `a hidden folder is left out, however much it holds`() throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    let exercise = try course.exercise(named: "4")
    let folder = try TestFolder()
    try folder.write("a".utf8, to: ".git/\(exercise.name)/Exercise.swift")
    for number in 0...HandInContents.entries {
      #expect(FileManager.default.createFile(atPath: folder.url.path + "/.git/\(number)", contents: nil))
    }
    let path = try folder.write("a".utf8, to: "z/\(exercise.name)/Exercise.swift")
    #expect(try Submission(folder.url, of: course).file(of: exercise)?.path == path)
    try FileManager.default.moveItem(
      at: folder.url.appendingPathComponent(".git"), to: folder.url.appendingPathComponent("built"))
    let error = #expect(throws: LessonKitError.self) { _ = try Submission(folder.url, of: course) }
    #expect(error?.description.contains("holds more than 20000 files, and exercises among them would be") == true)
  }

  @Test func `the notes of two students are told like one exercise of two`() throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    let folder = try TestFolder()
    try folder.write("a".utf8, to: "lesson-04-memory-peak/Exercise.swift")
    try folder.write("format 1\n".utf8, to: ".workbench")
    _ = try Submission(folder.url, of: course)
    try folder.write("a".utf8, to: "other/lesson-09-run-loop-modes/Exercise.swift")
    try folder.write("format 1\n".utf8, to: "other/.workbench")
    let error = #expect(throws: LessonKitError.self) { _ = try Submission(folder.url, of: course) }
    #expect(
      error?.description.hasSuffix("are the notes of two students. Grade one student's folder at a time.") == true)
  }
}
