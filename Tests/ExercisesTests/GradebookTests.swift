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
  private func graded(
    _ name: String, _ student: String? = nil, _ score: Int?, _ outcome: ExerciseOutcome = .failed,
    _ change: (inout HandIn) -> Void = { _ in }
  ) -> GradedHandIn {
    var result = ExerciseResult(exercise, outcome, why: outcome == .undecided ? "any of “<b>.swift”" : .empty)
    result.checks = [
      CheckResult(id: "a", title: "a", passed: true, wanted: "", measured: "", outside: true, points: score ?? 0)
    ]
    var handIn = HandIn(name: name, places: [], student: student)
    change(&handIn)
    return GradedHandIn(handIn, score.map { _ in GradeReport([result]) })
  }

  @Test func `Moodle's worksheet gets shares of the maximum, found by number or address, and nothing else changes`()
    throws
  {
    var book = try Gradebook(moodle: Data(Self.moodle.utf8), called: "m.csv")
    let filling = book.fill([
      graded("Ada Example_103", "103", 7), graded("ADA@example.org.zip", nil, 0), graded("Ada Example", nil, 9),
    ])
    let comment =
      #"<div class=""workbench"">lesson-04: not passed yet, # of 10 points<br>✓ a (#/#): wanted ; measured </div>"#
    let wanted = Self.moodle.replacing(
      #"grading",,100.00,Yes,"a ""b"""#,
      with: #"grading",0.00,100.00,Yes,"a ""b"""# + comment.replacing("#", with: "0")
    )
    .replacing(
      #"ada.two@example.org,"Submitted for grading",,100.00,Yes,"#,
      with: #"ada.two@example.org,"Submitted for grading",70.00,100.00,Yes,""# + comment.replacing("#", with: "7")
        + "\"")
    #expect(book.text == wanted)
    #expect(filling == Gradebook.Filling(filled: 2, without: 1, unknown: ["Ada Example"]))
    // Another grading replaces its own words, and leaves the teacher's.
    let again = book.text
    _ = book.fill([graded("Ada Example_103", "103", 7), graded("ada@example.org", nil, 0)])
    #expect(book.text == again)
  }

  @Test func `what a person decides keeps its cell, and its reason is said`() throws {
    var book = try Gradebook(moodle: Data(Self.moodle.utf8), called: "m.csv")
    let rows = [
      graded("Ada Example_101", "101", 7, .undecided), graded("Group 2_103", "103", 9),
      graded("bo@example.org", nil, 3) { $0.doubt = "why" },
    ]
    let filling = book.fill(rows)
    #expect(book.text == Self.moodle)
    #expect(filling == Gradebook.Filling(open: ["Ada Example_101", "Group 2_103", "bo@example.org"]))
    var doubted = rows
    book.doubt(&doubted)
    #expect(
      doubted.map(\.question.description) == [
        "any of “<b>.swift”", "103 is the number of “Ada Example” in Moodle's file", "why",
      ])
  }

  @Test func `a hand-in that may be of two students is nobody's`() throws {
    let text = "Identifier,ID number,Grade,Maximum Grade\nParticipant 1,2,,10\nParticipant 2,7,,10\n"
    var book = try Gradebook(moodle: Data(text.utf8), called: "m.csv")
    #expect(book.fill([graded("2.swift", nil, 5)]) == Gradebook.Filling(open: ["2.swift"]))
    #expect(book.text == text)
    #expect(book.fill([graded("x_2", "2", 5)]).filled == 1)
    #expect(book.text == text.replacing("2,7,,10", with: "2,7,5.00,10"))
  }

  @Test func `Canvas's gradebook gets shares of the points possible in the column of the assignment`() throws {
    var book = try Gradebook(canvas: Data(Self.canvas.utf8), called: "c.csv", assignment: "5002")
    let filling = book.fill([
      graded("exampleada_201", "201", 5), graded("bo@example.org", nil, 3), graded("S2.swift", nil, 8),
      graded("x_999", "999", 1),
    ])
    #expect(book.text == Self.canvas.replacing("A,,3,", with: "A,,2.5,"))
    #expect(filling == Gradebook.Filling(filled: 1, unknown: ["x_999"], open: ["bo@example.org", "S2.swift"]))
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

  @Test func `names of submissions hold the student's id, whatever the student's part holds`() {
    #expect(MoodleFileName("Ada Example_101_assignsubmission_file_")?.student == "101")
    #expect(MoodleFileName("Ada Example_101_assignsubmission_file")?.who == "Ada Example")
    #expect(MoodleFileName("A_5_B_102_assignsubmission_file_Exercise.swift") == nil)
    #expect(MoodleFileName.isWithin("A_5_B_102_assignsubmission_file_Exercise.swift"))
    #expect(MoodleFileName("Ada Example_101_assignsubmission_file_B_12_assignsubmission_file_x")?.student == "101")
    #expect(MoodleFileName("Ada Example_101") == nil && !MoodleFileName.isWithin("Ada Example_101"))
    let canvas = { (name: String) in CanvasFileName.readings(of: name) }
    #expect(canvas("exampleada_201_777_Exercise-1.swift").map(\.student) == ["201"])
    #expect(canvas("exampleada_201_777_Exercise-1.swift")[0].version == ("Exercise.swift", 1))
    #expect(canvas("exampleada_LATE_201_777_my_work.zip").map(\.who) == ["exampleada"])
    #expect(canvas("exampleada_LATE_201_777_my_work.zip")[0].isLate)
    #expect(canvas("exampleada_201_777_2_work.zip").map(\.student) == ["201", "777"])
    #expect(canvas("exampleada_201_777_a_5_6_work.zip").map(\.student) == ["201"])
    #expect(canvas("anon_12345_777_a.swift").isEmpty && canvas("my_exercise.swift").isEmpty)
    #expect(CanvasFileName.who("O'Neill_7_b, Siobhán") == "oneill7bsiobhán")
  }

  @Test func `the page of one of Moodle's students lies in the folder that its upload wants`() {
    let page = { (platform: LearningPlatform?) in graded("Ada Example_103", "103", 7) { $0.platform = platform }.page }
    #expect(page(.moodle) == "Ada Example_103_assignsubmission_file_/feedback.html")
    #expect(page(.canvas) == "Ada Example_103.html" && page(nil) == "Ada Example_103.html")
  }

  @Test func `the class's own table names every hand-in, each check, and why there is no score`() {
    let late = graded("a,b", nil, 7) { ($0.isLate, $0.remark) = (true, "“b” counts") }
    let text = ClassSheet([late, graded("=x", nil, nil), graded("y", nil, 7, .undecided)]).text
    #expect(
      text == "\u{FEFF}submission,score,points,late,to look at,remark,"
        + "lesson-04 outcome,lesson-04 score,lesson-04 reason,lesson-04 check a\r\n"
        + "\"a,b\",7,10,late,,“b” counts,failed,7,,7\r\n" + "'=x,,,,,,notGraded,,,\r\n"
        + "y,,10,,any of “<b>.swift”,,undecided,,any of “<b>.swift”,7\r\n")
  }
}
