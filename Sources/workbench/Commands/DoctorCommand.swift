// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// `workbench doctor`
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what this machine has and lacks, and what mends each lack.",
    discussion: "Examples:\n  workbench doctor\n  workbench doctor --lessons")

  @Flag(help: "Check the files of the lessons in place of the machine; each fault is named with file and line.")
  var lessons = false

  func run() async throws {
    try await ExitStatus.guarding {
      if lessons { return try checkLessons() }
      let findings = Checkup.all()
      try Terminal.show(findings.map(\.text).joined())
      if findings.contains(where: \.isLacking) { throw ExitStatus.environment }
    }
  }

  private func checkLessons() throws {
    let lessons = Course.catalog.lessons
    let faults = LessonInspection(lessons, root: LessonText(root: Course.folder).root).faults()
    try Terminal.show(faults.isEmpty ? "✓ lessons: \(lessons.count) in order\n" : faults.map { "\($0)\n" }.joined())
    if !faults.isEmpty { throw ExitStatus.notAsExpected }
  }
}
