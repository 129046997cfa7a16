// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// The tables of learning platforms, filled with the grades of a class.
@Suite struct GradebookTests {
  private static let moodle =
    "\u{FEFF}Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\",\"Feedback comments\"\r\n"
    + "\"Participant 101\",\"Ada Example\",ada@example.org,\"Submitted for grading\",,100.00,Yes,\"a \"\"b\"\"\"\r\n"
    + "\"Participant 102\",\"Bo Example\",bo@example.org,\"No submission\",12.00,100.00,Yes,\r\n"
    + "\"Participant 103\",\"Ada Example\",ada.two@example.org,\"Submitted for grading\",,100.00,Yes,\r\n"
  private static let canvas =
    "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 4 (5001),Other (5002),Current Score\n"
    + "    Points Possible,,,,,10,5,(read only)\n\"Example, Ada\",201,s1,ada@example.org,A,,3,\n"
    + "\"Example, Bo\",202,s2,bo@example.org,A,,4,\n"

  private let exercise: Exercise

  init() throws { exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4") }

  /// A hand-in with this many of ten points; nil for one that was not graded.
  private func graded(_ name: String, _ student: String? = nil, _ score: Int?) -> GradedHandIn {
    var result = ExerciseResult(exercise, .failed)
    result.checks = [
      CheckResult(id: "a", title: "a", passed: true, wanted: "", measured: "", outside: true, points: score ?? 0)
    ]
    return GradedHandIn(HandIn(name: name, places: [], student: student), score.map { _ in GradeReport([result]) })
  }

  @Test func `Moodle's worksheet gets shares of the maximum, found by number or address, and nothing else changes`()
    throws
  {
    var book = try Gradebook(moodle: Data(Self.moodle.utf8), called: "m.csv")
    let filling = book.fill([
      graded("Ada Example_103", "103", 7), graded("ADA@example.org.zip", nil, 0), graded("Ada Example", nil, 9),
    ])
    let wanted = Self.moodle.replacing("grading\",,100.00,Yes,\"a", with: "grading\",0.00,100.00,Yes,\"a")
      .replacing(
        "ada.two@example.org,\"Submitted for grading\",,", with: "ada.two@example.org,\"Submitted for grading\",70.00,")
    #expect(book.text == wanted)
    #expect(filling == Gradebook.Filling(filled: 2, without: 1, unknown: ["Ada Example"]))
  }

  @Test func `Canvas's gradebook gets shares of the points possible in the column of the assignment`() throws {
    var book = try Gradebook(canvas: Data(Self.canvas.utf8), called: "c.csv", assignment: "5002")
    let filling = book.fill([
      graded("exampleada_201", "201", 5), graded("bo@example.org", nil, 3), graded("S2.swift", nil, 8),
      graded("x_999", "999", 1),
    ])
    #expect(book.text == Self.canvas.replacing("A,,3,", with: "A,,2.5,").replacing("A,,4,", with: "A,,4,"))
    #expect(filling == Gradebook.Filling(filled: 2, unknown: ["x_999"], doubled: ["bo@example.org", "S2.swift"]))
  }

  @Test func `a hand-in that was not graded leaves the cell as it is`() throws {
    var book = try Gradebook(canvas: Data(Self.canvas.utf8), called: "c.csv", assignment: "Exercise 4")
    let filling = book.fill([graded("a_201", "201", nil)])
    #expect(book.text == Self.canvas)
    #expect(filling == Gradebook.Filling(without: 1, ungraded: ["a_201"]))
  }

  @Test func `a decimal comma stays one`() throws {
    let text = "Identifier;Email address;Grade;Maximum Grade\nTeilnehmer/in5;e@example.org;;20,00\n"
    var book = try Gradebook(moodle: Data(text.utf8), called: "m.csv")
    #expect(book.fill([graded("5", nil, 5)]).filled == 1)
    #expect(book.text.hasSuffix("e@example.org;10,00;20,00\n"))
  }

  @Test(arguments: [
    ("a,b\n1,2\n", "“x.csv” is no grading worksheet of Moodle's: it lacks a column"),
    (
      "Identifier,Grade,Maximum Grade\nParticipant 1,,Satisfactory\n",
      "“x.csv”: the maximum grade “Satisfactory” in row 2"
    ),
    ("Identifier,Grade,\"Maximum Grade\n", "x.csv:1: a field has no closing quote."),
  ]) func `what is no worksheet of Moodle's is named, with the cure`(_ text: String, _ words: String) {
    let error = #expect(throws: LessonKitError.self) { _ = try Gradebook(moodle: Data(text.utf8), called: "x.csv") }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    arguments: [
      (nil, "“x.csv” has 2 assignments: “Exercise 4 (5001)”, “Other (5002)”. Name the one to fill with --assignment."),
      ("Exercise 5", "0 assignments in “x.csv” are called “Exercise 5”."),
    ] as [(String?, String)]) func `the assignment has to be one`(_ name: String?, _ words: String)
  {
    let error = #expect(throws: LessonKitError.self) {
      _ = try Gradebook(canvas: Data(Self.canvas.utf8), called: "x.csv", assignment: name)
    }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test func `names of submissions hold the student's id`() {
    #expect(MoodleFileName("Ada Example_101_assignsubmission_file_")?.student == "101")
    #expect(MoodleFileName("A_5_B_102_assignsubmission_file_Exercise.swift")?.who == "A_5_B")
    #expect(MoodleFileName("Ada Example_101") == nil)
    #expect(CanvasFileName("exampleada_201_777_Exercise-1.swift")?.student == "201")
    #expect(CanvasFileName("exampleada_LATE_201_777_my_work.zip")?.who == "exampleada")
    #expect(CanvasFileName("my_exercise.swift") == nil)
  }

  @Test func `the class's own table names every hand-in`() {
    let text = ClassSheet([graded("a,b", nil, 7), graded("=x", nil, nil)]).text
    #expect(text.hasPrefix("\u{FEFF}submission,score,points,lesson-04 outcome,lesson-04 score\r\n"))
    #expect(text.hasSuffix("\r\n\"a,b\",7,10,failed,7\r\n'=x,,,notGraded,\r\n"))
  }
}
