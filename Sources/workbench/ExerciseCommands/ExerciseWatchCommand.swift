// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Reports

/// `workbench exercise watch`
struct ExerciseWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Check your program each time you save it.",
    discussion: """
      Keys: n next, p previous, h hint, l list, c check all, x reset, q quit. Left out, the exercise is the first one \
      that you have not passed.

      Examples:
        workbench exercise watch
        workbench exercise watch 4 --poll
      """)

  @Argument(help: "The exercise: lesson-04, 04, 4 or memory-peak.") var exercise: String?
  @Flag(
    help: "Look at the file every half second, where the system does not tell of changes, as on some network disks.")
  var poll = false
  @OptionGroup var options: ExerciseOptions

  func run() async throws {
    try await ExitStatus.guarding(options.terminal.messages) {
      guard KeyMode.isPossible else {
        throw LessonKitError(
          .unknownName,
          "“exercise watch” listens to keys, so it needs a terminal. Without one: workbench exercise check")
      }
      let exercises = try options.course.load().exercises
      let checker = ExerciseChecker(try ProgramBuilder(built: BuiltWorkbench()))
      let text = ExerciseText(style: try options.terminal.style(), language: options.language)
      var place = exercises.firstIndex { options.student.state(of: $0) != .passed } ?? 0
      if let exercise {
        let named = try options.exercise(meantBy: exercise)
        place = exercises.firstIndex { $0.id == named.id } ?? 0
      }
      try await Interruption.cancelling { [place, options, poll] in
        try await KeyMode.with {
          var session = WatchSession(options, exercises, at: place, checker, text, polling: poll)
          try await session.run()
        }
      }
    }
  }
}
