// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Lessons
import Reports

/// `workbench doctor`
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what this machine has and lacks, and what mends each lack.",
    discussion: "Example:\n  workbench doctor")

  func run() async throws {
    try await ExitStatus.guarding {
      let findings = Checkup.all()
      try Terminal.show(findings.map(\.text).joined())
      if findings.contains(where: \.isLacking) { throw ExitStatus.environment }
    }
  }
}
