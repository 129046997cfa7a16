// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Locking

/// `workbench grade`
struct GradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grade", abstract: "Grade one student's exercises, or those of a class.",
    discussion: """
      The folder is one student's work: files Exercise.swift, each in a folder that has its exercise's name, such as \
      lesson-04-memory-peak. With one --lesson it may be whatever holds one Swift file, under any name: a folder, the file \
      itself, a Swift package with one Exercise.swift, or a zip archive. An exercise gets the points of those checks that hold. \
      It gets none where there is no file or the file does not compile, or where its program hangs, crashes, goes over a limit \
      or tampers with its measurements. Where several files may be the program, or none of those that were found, or where \
      checks disagree that --repeat asks for, it is undecided: a person has to look at it, and the report says why.

      With --output the file is there from the start, without any points, and is replaced after each exercise, so that \
      an interruption keeps what was graded. All but json is in the language of --language. \
      Exit status 0: the report is written, whatever the points. 3: this machine lacked something, and an exercise or a hand-in of \
      a class is not graded; the same command grades it later. 64: a wrong argument, or no folder of one student. 130: interrupted.

      Students' programs run within bubblewrap or unshare where one of them works, and reach no network but the lesson \
      server's; a warning says what is missing, or with --require-isolation nothing is graded.

      With --class the folder holds the hand-ins of a class, one entry for each student, which are graded one after the \
      other or --jobs at a time. Each result is kept in --results as soon as it is there; after an interruption of any \
      kind the same command goes on, and grades again what has changed; --regrade grades one again that has not. At the end \
      there is a table of all, and a list of those that a person has to look at, which have no grade until then. Grades go to \
      Moodle's and Canvas's students by id or address, never by name; of the name of a file that part counts which the platform \
      writes, and where that can be read in two ways the hand-in is to be looked at. On several machines: \
      Scripts/grader/README.md.

      Examples:
        workbench grade submissions/17
        workbench grade hand-in.zip --lesson 4 --format text
        workbench grade . --lesson 4 --format gradescope --output /autograder/results/results.json
        workbench grade . --format junit --output report.xml --jobs 2 --repeat 3
        workbench grade --class submissions --lesson 4 --jobs 2 --csv grades.csv
        workbench grade --class submissions --lesson 4 --moodle worksheet.csv --feedback pages
        workbench grade --class submissions.zip --lesson 4 --canvas gradebook.csv --assignment "Exercise 4"
        workbench grade --class submissions --lesson 4 --regrade student-17
      """)

  @Argument(help: "The student's folder, Swift file or zip archive; exercises may lie anywhere in it.") var folder:
    String
  @Option(help: "Only this exercise: lesson-04, 04, 4 or memory-peak; may be given more than once.") var lesson:
    [String] = []
  @Option(help: "The form of the report: json, junit, gradescope or text.", transform: Self.format)
  var format = GradeFormat.json
  @Option(
    help: "With gradescope, when a student sees a test: visible, after_due_date, after_published or hidden.",
    transform: Self.visibility)
  var visibility = GradescopeVisibility.visible
  @Option(help: "The file for the report; left out, it is printed at the end.") var output: String?
  @Option(
    help: """
      How long one run may take, 100 ms to 24 h; left out, as the exercise says. Checking an exercise takes no longer than \
      its runs, 5 s more for each, and 10 s.
      """, transform: TimeLimit.init)
  var timeout: TimeLimit?
  @Option(
    name: .customLong("repeat"),
    help: "How often each exercise is checked, 1 to 1000; where the checks disagree it is undecided, without points.",
    transform: Number.repetitions)
  var repetitions = 1
  @Option(help: "How many exercises, or hand-ins of a class, are checked at a time, 1 to 64.", transform: Number.jobs)
  var jobs = 1
  @Flag(help: "Grade nothing where programs cannot be isolated by bubblewrap, and end with 3.")
  var requireIsolation = false
  @OptionGroup(title: "A class") var whole: ClassOptions
  @OptionGroup var course: CourseOptions
  @OptionGroup var reader: LanguageOptions

  private static func format(_ name: String) throws -> GradeFormat {
    guard let format = GradeFormat(rawValue: name) else {
      throw ValidationError(say: "“\(name)” is no form of a report. There are json, junit, gradescope and text.")
    }
    return format
  }

  private static func visibility(_ name: String) throws -> GradescopeVisibility {
    guard let visibility = GradescopeVisibility(rawValue: name) else {
      throw ValidationError(
        say: "“\(name)” is no visibility on Gradescope. There are visible, after_due_date, after_published and hidden.")
    }
    return visibility
  }

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      let course = try course.load()
      let exercises = try lesson.isEmpty ? course.exercises : lesson.map(course.exercise(named:))
      if whole.isClass { return try await grading(exercises, of: course).run() }
      try write(Grader.pessimistic(exercises))
      guard let submission = try await submission(of: course, exercises) else { return }
      let sandbox = await Sandbox.strongest()
      if requireIsolation { try sandbox.requireIsolation() }
      for lack in sandbox.lacks { reader.messages.tell(lack) }
      let checker = ExerciseChecker(
        try ProgramBuilder(built: BuiltWorkbench()), timeout: timeout?.duration, sandbox: sandbox,
        keepingRunsOf: Version.text, compilations: 2)
      let last = Locked(Grader.pessimistic(exercises))
      do {
        _ = try await Interruption.cancelling {
          if whole.isMember { JobCommand.endWithParent() }
          return try await Grader(checker, jobs: jobs, repetitions: repetitions).grade(exercises, of: submission) {
            report in
            last.withLock { $0 = report }
            try write(report)
          }
        }
      } catch {
        if output == nil { try Terminal.show(text(of: last.withLock { $0 })) }
        throw error
      }
      let report = last.withLock { $0 }
      if output == nil { try Terminal.show(text(of: report)) }
      let ungraded = report.exercises.filter { $0.outcome == .notGraded }
      for exercise in ungraded { reader.messages.tell("\(exercise.id) is not graded: \(exercise.why)") }
      if !ungraded.isEmpty { throw ExitStatus.environment }
    }
  }

  private func text(of report: GradeReport) -> String {
    format.text(of: report, visibility: visibility, in: reader.messages.catalogue)
  }

  /// Replaces the report as a whole, so that a reader never sees half of one.
  func write(_ report: GradeReport) throws {
    try output.map { path throws(LessonKitError) in try OutputFile(path) }?
      .write(text(of: report))
  }
}
