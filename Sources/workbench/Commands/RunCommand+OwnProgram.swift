// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit
import Lessons

extension RunCommand {
  /// The exercise whose circumstances the person's own file runs under, nil for none.
  @TaskLocal static var exercise: Exercise?

  /// The person's own file among the arguments, if there is one.
  var ownFile: String? { lessons.first(where: StudentFile.isMeant) }

  /// Refuses what makes no sense beside a person's own file.
  func validateOwnFile() throws {
    if withFoundation, ownFile != nil || side == .connection {
      throw ValidationError(say: "--with-foundation runs lessons' Session examples once more; here is none of them.")
    }
    if beside != nil, ownFile == nil || json {
      throw ValidationError(
        say: "--beside prints a lesson's good example behind a program of your own: name its file, without --json.")
    }
    guard let ownFile, lessons.count > 1 || side != nil || !example.isEmpty else { return }
    throw ValidationError(
      say:
        "“\(ownFile)” runs alone: leave the other names, --side and --example away; they choose among lessons' examples."
    )
  }

  /// The lesson that --beside means with its good example alone; nil where none was asked for, or the lesson has none.
  func goodExample() throws -> Lesson? {
    try beside.flatMap { try terminal.messages.lesson(meantBy: $0).withGoodExampleAlone }
  }

  /// The lessons to run, and the program of their examples where it is not the workbench's own.
  func programs() async throws -> (lessons: [Lesson], program: BuiltProgram?) {
    guard let ownFile else {
      let chosen = try all ? Course.catalog.lessons : lessons.map { try terminal.messages.lesson(meantBy: $0) }
      return (try await withToolchain(chosen), nil)
    }
    let file = try StudentFile(reading: ownFile)
    let line = ProgressLine()
    let words = terminal.messages.catalogue("compiling \(ownFile)" as Phrase)
    let program: BuiltProgram
    do {
      program = try await Interruption.cancelling {
        line.show(words)
        defer { line.clear() }
        return try await ProgramBuilder(built: BuiltWorkbench()).build(file)
      }
    } catch let error as LessonKitError where error.code == .notCompiled {
      Terminal.tell(String(error.description.dropLast()))
      file.advice(on: error.description).forEach(terminal.messages.tell)
      throw ExitStatus.notCompiled
    }
    program.keepUntilExit()
    if !program.warnings.isEmpty { Terminal.tell(String(program.warnings.dropLast())) }
    file.advice().forEach(terminal.messages.tell)
    return ([Self.exercise?.lesson(of: file) ?? file.lesson], program)
  }

  /// The observer, which writes the files that an exercise's program finds in its folder.
  func preparing(_ observer: RunObserver) -> RunObserver {
    guard let exercise = Self.exercise else { return observer }
    var observer = observer
    observer.prepared = { [messages = terminal.messages] example, folder in
      do throws(LessonKitError) {
        try exercise.prepare(folder, for: example)
      } catch {
        messages.tell(error.phrase)
      }
    }
    return observer
  }
}

/// `workbench _prepare`: Scripts/workbench calls it after a build, so that a person's first program is quick as well.
struct PrepareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "_prepare", abstract: "Make what the programs of `run FILE.swift` are compiled with.",
    discussion: "Example:\n  workbench _prepare", shouldDisplay: false)

  func run() async throws {
    try await ExitStatus.guarding {
      try await Interruption.cancelling { try await ProgramBuilder(built: BuiltWorkbench()).prepare() }
    }
  }
}
