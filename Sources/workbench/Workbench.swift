// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import Exercises
import Foundation
import LessonKit
import Lessons

/// The door: becomes a child process when it was started as one, else reads the command line.
///
/// The main function is synchronous because an example's process needs the real main thread with its run loop.
@main enum Workbench {
  static func main() {
    ProcFileSystem.check()
    ChildCommands.enterIfAsked(lessons: Course.catalog.lessons)
    let arguments = CommandNames.ordered(CommandLine.arguments.dropFirst())
    CommandNames.check(arguments)
    // Only here, where there is no other thread yet.
    let command = arguments.first
    let isGrading = command == GradeCommand.configuration.commandName
    if isGrading || command == IsolationCommand.configuration.commandName { OwnNetwork.enter() }
    if isGrading { ClosedProcess.enter() }
    let isDone = DispatchSemaphore(value: 0)
    start(arguments) { isDone.signal() }
    isDone.wait()
    exit(0)
  }

  private nonisolated static func start(_ arguments: [String], _ finished: @escaping @Sendable () -> Void) {
    Task.detached {
      do {
        var command = try await WorkbenchCommand.asyncParseAsRoot(arguments)
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      } catch {
        ParserText.exit(with: error)
      }
      finished()
    }
  }
}

/// The root of the command line.
struct WorkbenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workbench",
    abstract: "Study notes on NSURLConnection and URLSession, brought to life: run the lessons and see what is true.",
    discussion: """
      Start with:
        workbench list
        workbench show 5
        workbench run 5

      Exit status: 0 all as expected, 1 a claim or an example came out otherwise, 2 the compiler refuses a \
      program of your own, 3 the machine lacks something, 64 the command line is wrong, 70 a fault in the workbench \
      itself, 130 interrupted (129 and 143 where the terminal went or the process was asked to end).
      """,
    version: Version.text,
    subcommands: [
      ListCommand.self, ShowCommand.self, RunCommand.self, MeasureCommand.self, PitfallsCommand.self, EjectCommand.self,
      ExerciseCommand.self, GradeCommand.self,
      DiffCommand.self,
      ClaimsCommand.self, BehaviourCommand.self,
      ServeCommand.self, ServerCommand.self, DoctorCommand.self, FiguresCommand.self, PrepareCommand.self,
      JobCommand.self, IsolationCommand.self,
    ])
}
