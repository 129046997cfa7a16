// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Reports

/// `workbench exercise`
struct ExerciseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exercise", abstract: "Mend a small program, and have checked what it does.",
    discussion: """
      Start with:
        workbench exercise list
        workbench exercise start 4
        workbench exercise check 4
      """,
    subcommands: [
      ExerciseListCommand.self, ExerciseStartCommand.self, ExerciseCheckCommand.self, ExerciseWatchCommand.self,
      ExerciseRunCommand.self, ExerciseHintCommand.self, ExerciseSolutionCommand.self, ExerciseResetCommand.self,
      ExerciseNewCommand.self, ExerciseVerifyCommand.self,
    ])
}

/// `workbench exercise list`
struct ExerciseListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the exercises and how far you are.",
    discussion: "Example:\n  workbench exercise list")

  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var options: ExerciseOptions

  private struct Row: Encodable {
    var id: String
    var title: String
    var minutes: Int
    var points: Int
    var state: String
  }

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let (course, student) = (try options.course.load(), options.student)
      let rows = course.exercises.map { each in
        Row(
          id: each.id, title: each.manifest.title(options.language), minutes: each.manifest.minutes,
          points: each.manifest.points, state: student.state(of: each).rawValue)
      }
      if json { return try Terminal.show(ExerciseJSON.encoded(rows)) }
      let say = options.terminal.messages.catalogue
      let table = rows.map { row in
        [
          row.id, say("\(row.minutes) min" as Phrase), say((ExerciseState(rawValue: row.state) ?? .new).words),
          row.title,
        ]
      }
      try Terminal.show(options.terminal.style().columns(table))
      let passed = rows.count { $0.state == ExerciseState.passed.rawValue }
      try options.say("\(passed)/\(rows.count) passed")
    }
  }
}

/// `workbench exercise start`
struct ExerciseStartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Write an exercise's program and task into your folder.",
    discussion: """
      A file that is there is never written over.

      Examples:
        workbench exercise start 4
        workbench exercise start --all --into ~/course
      """)

  @Argument(help: "The exercises: lesson-04, 04, 4 or memory-peak.") var exercises: [String] = []
  @Flag(help: "All exercises of the course.") var all = false
  @OptionGroup var options: ExerciseOptions

  func validate() throws {
    if !all, exercises.isEmpty { throw ValidationError(say: "Name an exercise, such as 4, or give --all.") }
  }

  func run() async throws {
    // Not in validate(): the parser names an option that does not exist after it.
    if all, !exercises.isEmpty { throw ValidationError(say: "Name exercises or give --all, not both.") }
    try await ExitStatus.guarding(options.terminal.messages) {
      let (course, student) = (try options.course.load(), options.student)
      let named = try exercises.map { try options.exercise(meantBy: $0, in: course) }
      for exercise in all ? course.exercises : named {
        let written = try student.start(exercise, in: options.language)
        for file in written { try Terminal.show(file.path + "\n") }
        if written.isEmpty {
          options.terminal.messages.tell("\(exercise.name) is there already; nothing was written over it.")
        } else {
          options.terminal.messages.tell(
            "Read task.md, mend \(Exercise.fileName) in your editor, then: \(options.command("check", exercise))")
        }
      }
    }
  }
}

/// `workbench exercise reset`
struct ExerciseResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Get the program as it was handed out; yours is kept beside it.",
    discussion: "Your file becomes Exercise.swift.1.\n\nExample:\n  workbench exercise reset 4")

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String
  @Flag(help: "Also when it is passed.") var force = false
  @OptionGroup var options: ExerciseOptions

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      let (exercise, student) = (try options.course.load().exercise(named: exercise), options.student)
      guard force || student.state(of: exercise) != .passed else {
        options.terminal.messages.tell("\(exercise.id) is passed. To begin again all the same, add --force.")
        throw ExitStatus.usage
      }
      let kept = try student.reset(exercise, in: options.language)
      try Terminal.show(student.file(of: exercise).path + "\n")
      if let kept { options.terminal.messages.tell("Your program is kept in \(kept.path).") }
    }
  }
}
