// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Lessons
import Reports

/// `workbench exercise check`
struct ExerciseCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compile your program, run it, and say what was wanted and what was measured.",
    discussion: """
      Exit status: 0 all passed, 1 something did not, 2 the compiler refuses your program.

      Examples:
        workbench exercise check 4
        workbench exercise check --all
        workbench exercise check --previous --json
      """)

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String?
  @Flag(help: "All exercises that you have started.") var all = false
  @Flag(help: "All exercises that you have passed before.") var previous = false
  @Flag(help: "Print JSON.") var json = false
  @Option(help: "How long one run may take, 100 ms to 24 h; left out, as the exercise says.", transform: TimeLimit.init)
  var timeout: TimeLimit?
  @OptionGroup var options: ExerciseOptions

  func validate() throws {
    guard [exercise != nil, all, previous].count(where: { $0 }) != 1 else { return }
    throw ValidationError(say: "Name one exercise, such as 4, or give --all or --previous.")
  }

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let chosen = try chosen()
      let checker = ExerciseChecker(try ProgramBuilder(built: BuiltWorkbench()), timeout: timeout?.duration)
      let results = try await results(of: chosen, checker)
      if json { try Terminal.show(GradeReport(results).json) }
      if results.contains(where: { $0.outcome == .notCompiled }) { throw ExitStatus.notCompiled }
      if results.contains(where: { $0.outcome != .passed }) { throw ExitStatus.notAsExpected }
    }
  }

  private func chosen() throws -> [Exercise] {
    let (course, student) = (try options.course.load(), options.student)
    if let exercise {
      let one = try options.exercise(meantBy: exercise, in: course)
      guard student.has(one) else {
        throw LessonKitError(
          .unknownName,
          "There is no \(student.file(of: one).path) yet. Begin with: \(options.command("start", one))")
      }
      return [one]
    }
    let found = course.exercises.filter { student.has($0) && (!previous || student.state(of: $0) == .passed) }
    if found.isEmpty { options.terminal.messages.tell("There is nothing to check in \(student.url.path) yet.") }
    return found
  }

  private func results(of exercises: [Exercise], _ checker: ExerciseChecker) async throws -> [ExerciseResult] {
    let style = try options.terminal.style()
    let text = ExerciseText(style: style, language: options.language)
    let line = ProgressLine()
    var results: [ExerciseResult] = []
    for exercise in exercises {
      line.show(style.catalogue("checking \(exercise.id)" as Phrase))
      let path = options.student.file(of: exercise).path
      let result = try await Interruption.cancelling { try await checker.check(exercise, at: path) }
      line.clear()
      results.append(result)
      if !json {
        if !result.compiler.isEmpty { Terminal.tell(String(result.compiler.dropLast())) }
        try Terminal.show(text.text(result))
      }
      note(exercise, result)
      if !json { advise(exercise, result) }
    }
    return results
  }

  /// The check runs also where the folder takes no notes.
  private func note(_ exercise: Exercise, _ result: ExerciseResult) {
    do throws(LessonKitError) {
      try options.student.checked(exercise, passed: result.outcome == .passed)
    } catch {
      options.terminal.messages.tell(error.phrase)
    }
  }

  private func advise(_ exercise: Exercise, _ result: ExerciseResult) {
    guard result.outcome != .passed || exercise.hasSolution else { return }
    let next = result.outcome == .passed ? "solution" : "hint"
    let words: Phrase =
      result.outcome == .passed
      ? "Solution and explanation: \(options.command(next, exercise))"
      : "A hint: \(options.command(next, exercise))"
    options.terminal.messages.tell(words)
  }
}

/// `workbench exercise run`
struct ExerciseRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run your program with the report of “run”, without checking.",
    discussion:
      "It runs once in each of the exercise's cases, and behind it the lesson's good example.\n\nExample:\n  workbench exercise run 4"
  )

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String
  @OptionGroup var options: ExerciseOptions

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let exercise = try options.exercise(meantBy: exercise)
      let path = options.student.file(of: exercise).path
      let limit = Int((exercise.manifest.limit / .seconds(1)).rounded(.up))
      // A course of a teacher's own may have exercises without a lesson.
      let beside = (try? Course.catalog.lesson(named: exercise.id)) == nil ? [] : ["--beside", exercise.id]
      let arguments =
        beside + [
          path, "--size", "\(exercise.manifest.bodyBytes)", "--timeout", "\(limit)s",
          "--language", options.language.rawValue,
        ]
      let command = try RunCommand.parse(arguments)
      try await RunCommand.$exercise.withValue(exercise) { try await command.run() }
    }
  }
}
