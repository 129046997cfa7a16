// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
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

  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var reader: LanguageOptions

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      if lessons { return try checkLessons() }
      let findings = await Checkup.all()
      let catalogue = reader.messages.catalogue
      try Terminal.show(
        json
          ? JSONReport.encoded(findings)
          : findings.map { $0.text(catalogue, isASCII: Terminal.isASCII()) }.joined())
      if findings.contains(where: \.isLacking) { throw ExitStatus.environment }
    }
  }

  private func checkLessons() throws {
    let lessons = Course.catalog.lessons
    let root = LessonText().root
    let faults =
      LessonInspection(lessons, root: root).faults()
      + ExerciseInspection.faults(below: root).map {
        LessonInspection.Fault(file: $0.file, line: $0.line, sentence: $0.sentence.description)
      }
    let good = Finding(subject: "lessons", state: "\(lessons.count) in order")
    try Terminal.show(
      json
        ? JSONReport.encoded(faults)
        : faults.isEmpty
          ? good.text(reader.messages.catalogue, isASCII: Terminal.isASCII()) : faults.map { "\($0)\n" }.joined())
    if !faults.isEmpty { throw ExitStatus.notAsExpected }
  }
}
