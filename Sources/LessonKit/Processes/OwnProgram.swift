// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// A program of a person's own, measured as the one example of a lesson without claims.
public enum OwnProgram {
  /// The lesson by which the parent measures it.
  ///
  /// - Parameters:
  ///   - name: the program's name in the report, such as `mine`.
  ///   - side: the column of the library that it loads with.
  ///   - file: its file, as the person named it.
  public static func lesson(named name: String, side: Side, file: String) -> Lesson {
    lesson(name, "\(side.rawValue)/\(name)", side, file, warmUp: [:]) { _ in }
  }

  /// The main function of the program's executable: becomes the example's process that the workbench has started. Started
  /// by a person, it says what it is for and ends with 64. Call it on the main thread.
  ///
  /// - Parameters:
  ///   - warmUp: a small first load from the given address.
  ///   - program: the program.
  public static func run(
    _ arguments: [String] = CommandLine.arguments, warmUp: @escaping @Sendable (URL) -> Void,
    program: @escaping @Sendable (ExampleContext) -> Void
  ) -> Never {
    if let text = arguments.last,
      let invocation = try? JSONDecoder().decode(ExampleInvocation.self, from: Data(text.utf8))
    {
      let warmUps = Dictionary(uniqueKeysWithValues: Side.allCases.map { ($0, warmUp) })
      let side = Side.allCases.first { invocation.example.hasPrefix($0.rawValue + "/") } ?? .session
      let lesson = lesson(invocation.lesson, invocation.example, side, "", warmUp: warmUps, run: program)
      ChildCommands.enterIfAsked(arguments, lessons: [lesson])
    }
    FileHandle.standardError.write(Data("This program is measured by the workbench: workbench run FILE.swift\n".utf8))
    exit(64)
  }

  /// The main function of an exercise's executable, whose program takes an `ExerciseContext`; else as the other one.
  public static func run(
    _ arguments: [String] = CommandLine.arguments, warmUp: @escaping @Sendable (URL) -> Void,
    program: @escaping @Sendable (ExerciseContext) -> Void
  ) -> Never {
    run(arguments, warmUp: warmUp) { (app: ExampleContext) in program(ExerciseContext(app)) }
  }

  /// The main function of an executable with several programs, of which the order names one; else as the other one.
  ///
  /// - Parameter programs: the programs by their names.
  public static func run(
    _ arguments: [String] = CommandLine.arguments, warmUp: @escaping @Sendable (URL) -> Void,
    programs: [String: @Sendable (ExampleContext) -> Void]
  ) -> Never {
    let invocation = arguments.last.flatMap { try? JSONDecoder().decode(ExampleInvocation.self, from: Data($0.utf8)) }
    let chosen = invocation?.program.flatMap { programs[$0] }
    run(chosen == nil ? [] : arguments, warmUp: warmUp) { (app: ExampleContext) in chosen?(app) }
  }

  private static func lesson(
    _ name: String, _ example: String, _ side: Side, _ file: String,
    warmUp: [Side: @Sendable (URL) -> Void],
    run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Lesson {
    var lesson = Lesson(
      number: 0, slug: name, title: "A program of your own", minutes: 0,
      examples: [Example(example, side, file, file: file, run: run).makes(.nothing)], claims: [], warmUp: warmUp)
    // Its subject is not known, so the report shows all of it.
    lesson.shows = LessonDetail.allCases
    return lesson
  }
}
