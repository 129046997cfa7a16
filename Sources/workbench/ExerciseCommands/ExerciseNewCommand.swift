// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Lessons

/// `workbench exercise new`
struct ExerciseNewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a small exercise that works, as a teacher's beginning of another one.",
    discussion: """
      Manifest, program, solution, near misses, task and explanation in both languages go to COURSE/NAME/exercise. A file \
      that is there is never written over.

      Examples:
        workbench exercise new lesson-28-my-topic --course ~/my-course
        workbench exercise new 5 --course ~/my-course
        workbench exercise verify 28 --course ~/my-course
      """)

  @Argument(help: "A lesson, such as 5, or a name of your own, such as lesson-28-my-topic.") var name: String
  @OptionGroup var course: CourseOptions
  @OptionGroup var reader: LanguageOptions

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      let lesson = Course.catalog.lessons.first { $0.names.contains(name.lowercased()) }
      let scaffold = try ExerciseScaffold(
        named: lesson?.folder ?? name, lessons: LessonText().root)
      for file in try scaffold.write(to: course.url) { try Terminal.show(file.path + "\n") }
      let place = course.named.map { " --course \(ShellWord.quoted($0))" } ?? ""
      let command = "workbench exercise verify \(scaffold.id)\(place)"
      reader.messages.tell("Change the program, its checks and its texts bit by bit. After each step: \(command)")
    }
  }
}
