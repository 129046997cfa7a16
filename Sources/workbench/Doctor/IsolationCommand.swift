// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit
import Reports

/// `workbench _isolation`: the doctor starts it, and it enters the network that `grade` would, which the doctor must not.
struct IsolationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "_isolation", abstract: "Say as JSON what would stand around the programs that `grade` runs.",
    discussion: "Example:\n  workbench _isolation", shouldDisplay: false)

  func run() async throws {
    try Terminal.show(JSONReport.encoded(await IsolationTrial.here()))
  }
}
