// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Lessons

/// `workbench eject`
struct EjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eject", abstract: "Write a lesson's examples as a package of their own, to change and build.",
    discussion: """
      The package has a target for each example, without anything of the measuring, and depends on the workbench's \
      libraries by path. A folder that is there is never written to.

      Examples:
        workbench eject 4 --example session/download
        workbench eject delegate-progress --into ~/progress
      """)

  @Argument(help: "The lesson: lesson-05, 05, 5 or delegate-progress.") var lesson: String
  @Option(help: "Only this example, by its id or the part after the slash; may be given more than once.")
  var example: [String] = []
  @Option(help: "The new folder; left out, one in the current folder, named after the lesson or the example.")
  var into: String?
  @OptionGroup var reader: LanguageOptions

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      let lesson = try reader.messages.lesson(meantBy: lesson)
      try LessonCatalog.checkExamples(example, in: [lesson])
      let root = LessonText().root
      let catalogue = try reader.catalogue()
      let programs = try EjectedProgram.all(
        RunOptions(examples: example).chosen(from: lesson), of: lesson, borrowedFrom: Course.catalog.lessons,
        root: root,
        in: catalogue)
      let name = programs.count == 1 ? "\(lesson.id)-\(programs[0].name)" : lesson.folder
      let workbench = root.deletingLastPathComponent()
      let package = try EjectedPackage(name: name, programs, workbench: workbench)
      try package.write(to: into ?? name)
      try Terminal.show(package.files.map { "\(into ?? name)/\($0.path)\n" }.joined())
      Terminal.tell(next(for: package, workbench, catalogue))
    }
  }

  /// Lists the next steps with the package.
  private func next(for package: EjectedPackage, _ workbench: URL, _ say: StringCatalogue) -> String {
    """

    \(say("Start the lesson server in a terminal of its own:" as Phrase))
      \(workbench.appendingPathComponent("Scripts/workbench").path) server --port 8080
    \(say("Then build and run, which takes some minutes the first time:" as Phrase))
      cd \(into ?? package.name)
      swift run \(package.programs.first?.name ?? "")
    \(say("Each main.swift says what else its example needs." as Phrase))
    """
  }
}
