// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Lessons
import Reports

/// The option of every command about exercises: which course.
struct CourseOptions: ParsableArguments {
  @Option(help: "A course of your own: a folder of the same shape as Lessons; else WORKBENCH_COURSE, else the lessons.")
  var course: String?

  /// The folder that the person names, nil for the lessons.
  var named: String? {
    course ?? ProcessInfo.processInfo.environment[ExerciseCourse.variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The course's folder.
  var url: URL { named.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? LessonText().root }

  /// The course.
  ///
  /// - Throws: `LessonKitError` when it cannot be read.
  func load() throws(LessonKitError) -> ExerciseCourse { try ExerciseCourse(folder: url) }
}

/// The options of commands that work in a student's folder.
struct ExerciseOptions: ParsableArguments {
  @OptionGroup var course: CourseOptions
  @Option(
    name: [.customLong("folder"), .customLong("into")],
    help: "Your folder; left out, the current one where it has exercises, else workbench-exercises in it.")
  var folder: String?
  @OptionGroup var terminal: TerminalOptions

  /// The student's folder.
  var student: StudentFolder { StudentFolder(folder) }

  /// The reader's language.
  var language: Language { terminal.reader.spoken }

  /// The exercise that the person means by this name, of a course that is read already or now; a guess is said.
  ///
  /// - Throws: `LessonKitError` where the course cannot be read, or no exercise or several may be meant.
  func exercise(meantBy name: String, in read: ExerciseCourse? = nil) throws -> Exercise {
    let found = try (read ?? course.load()).exercise(meantBy: name)
    if !found.isCalled(name) { terminal.messages.tell(taken: name, for: "\(found.id) (\(found.slug))") }
    return found
  }

  /// A phrase in the reader's language, as a line.
  func say(_ phrase: Phrase) throws { try Terminal.show(terminal.messages.catalogue(phrase) + "\n") }

  /// Shows the hint of this number.
  func show(hint number: Int, of exercise: Exercise) throws {
    let hints = exercise.manifest.hints
    let words: Phrase = "hint \(number) of \(hints.count): \(hints[number - 1](language))"
    try Terminal.show(terminal.style().lines(words))
  }

  /// Shows the next hint, which counts as seen from now on. It is shown also where the folder takes no notes.
  func showNextHint(of exercise: Exercise) throws {
    let number = student.hintToCome(of: exercise)
    try show(hint: number, of: exercise)
    do throws(LessonKitError) {
      try student.saw(hint: number, of: exercise)
    } catch {
      terminal.messages.tell(error.phrase)
    }
  }

  /// Forms the command that a person types to go on, for the exercise: with the folder and the course, where they were named.
  func command(_ verb: String, _ exercise: Exercise) -> String {
    let named = [("--folder", folder), ("--course", course.course)].map { option, value in
      value.map { " \(option) \(ShellWord.quoted($0))" } ?? ""
    }
    return "workbench exercise \(verb) \(exercise.number.map(String.init) ?? exercise.id)" + named.joined()
  }
}
