// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit

/// `workbench exercise verify`
struct ExerciseVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Prove that a course's exercises fail as handed out and pass with their solutions.",
    discussion: """
      Each near miss must fail by the check that the manifest names, each solution pass every time, a program that does \
      nothing get no points, and each program be formatted by the workbench's rules.

      Examples:
        workbench exercise verify
        workbench exercise verify 4 --repeat 20
        workbench exercise verify --jobs 2
        workbench exercise verify --course ~/my-course
      """)

  @Argument(help: "Only these exercises.") var exercises: [String] = []
  @Option(
    name: .customLong("repeat"), help: "How often each solution is checked, 1 to 1000.", transform: Number.repetitions)
  var repetitions = 3
  @Option(help: "How many exercises are verified at a time, 1 to 64.", transform: Number.jobs) var jobs = 1
  @OptionGroup var course: CourseOptions
  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let course = try course.load()
      let chosen = try exercises.isEmpty ? course.exercises : exercises.map(course.exercise(named:))
      let built = try BuiltWorkbench()
      let checker = ExerciseChecker(try ProgramBuilder(built: built))
      let gate = ExerciseGate(checker, rules: try FormatRules(built: built), repetitions: repetitions)
      let say = terminal.messages.catalogue
      let count = try await Interruption.cancelling { [jobs] in
        try await gate.faults(of: chosen, atATime: jobs) { exercise, faults in
          let words: Phrase = faults.isEmpty ? "in order" : Phrase.count(faults.count, "fault")
          try Terminal.show("\(exercise.id): \(say(words))\n")
          for fault in faults { try Terminal.show("  \(say(fault.sentence))\n") }
        }
      }
      if count > 0 { throw ExitStatus.notAsExpected }
    }
  }
}
