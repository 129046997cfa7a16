// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit

/// `workbench exercise hint`
struct ExerciseHintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hint", abstract: "Show the next hint.",
    discussion: "Each hint says more than the one before.\n\nExample:\n  workbench exercise hint 4")

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String
  @Option(help: "The hint of this number, from 1; left out, the next one.") var level: Int?
  @OptionGroup var options: ExerciseOptions

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let exercise = try options.exercise(meantBy: exercise)
      let hints = exercise.manifest.hints
      if let level, !hints.indices.contains(level - 1) {
        options.terminal.messages.tell(
          "\(exercise.id) has \(Phrase.count(hints.count, "hint")), not one of number \(level).")
        throw ExitStatus.usage
      }
      if let level { try options.show(hint: level, of: exercise) } else { try options.showNextHint(of: exercise) }
    }
  }
}

/// `workbench exercise solution`
struct ExerciseSolutionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "solution", abstract: "Put the solution and its explanation beside your file.",
    discussion: """
      After you have passed; --reveal shows it before, and that is remembered. The edition for students holds no \
      solutions.

      Examples:
        workbench exercise solution 4
        workbench exercise solution 4 --reveal
      """)

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String
  @Flag(help: "Show it before you have passed.") var reveal = false
  @OptionGroup var options: ExerciseOptions

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let (exercise, student) = (try options.exercise(meantBy: exercise), options.student)
      guard exercise.hasSolution else {
        options.terminal.messages.tell(
          "This is the edition for students, which holds no solutions: your teacher has them. A hint: "
            + "\(options.command("hint", exercise))")
        throw ExitStatus.environment
      }
      guard reveal || student.state(of: exercise) == .passed else {
        options.terminal.messages.tell(
          "\(exercise.id) is not passed yet. A hint: \(options.command("hint", exercise)). To see the solution all the "
            + "same, add --reveal.")
        throw ExitStatus.usage
      }
      for file in try student.showSolution(exercise, in: options.language) { try Terminal.show(file.path + "\n") }
    }
  }
}
