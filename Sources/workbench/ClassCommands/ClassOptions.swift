// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit

/// The options of `grade` for a class on one machine.
struct ClassOptions: ParsableArguments {
  @Flag(
    name: .customLong("class"),
    help: """
      The folder holds a class: each folder, Swift file or zip archive in it is the hand-in of one student. A zip archive may \
      stand in its place, as a platform gives it.
      """)
  var isClass = false
  @Option(
    help: "With --class: the folder that keeps the results; left out, NAME-grades in the current folder.")
  var results: String?
  @Option(help: "With --class: a table of all grades for a spreadsheet, as CSV.") var csv: String?
  @Option(help: "With --class: Moodle's grading worksheet, to be filled with the grades.") var moodle: String?
  @Option(help: "With --class: Canvas's gradebook export, to be filled with the grades.") var canvas: String?
  @Option(help: "With --canvas: the assignment's name or number; left out, the only one.") var assignment: String?
  @Flag(
    name: .customLong("in-place"),
    help: "With --moodle or --canvas: replace that file; left out, the filled one lies in --results.")
  var isInPlace = false
  @Option(
    help: """
      With --class: a folder for a page of each hand-in, to give back, in the language of --language; of Moodle's students in the \
      folders that its upload of feedback files wants.
      """)
  var feedback: String?
  @Option(help: "With --class: a folder for the Swift files alone, a folder for each hand-in, as JPlag compares them.")
  var jplag: String?
  @Flag(name: .customLong("no-grading"), help: "With --class: grade nothing, and write the tables of what is graded.")
  var isOnlyWriting = false

  @Option(help: "With --class: grade this hand-in again, though it has a result; may be given more than once.")
  var regrade: [String] = []

  @Flag(name: .customLong("of-class"), help: .hidden) var isMember = false
  @Option(name: .customLong("with"), help: .hidden) var further: [String] = []

  /// The first option that makes sense for a class alone; nil where none is given.
  private var first: String? {
    if isOnlyWriting { return "--no-grading" }
    if isInPlace { return "--in-place" }
    if !regrade.isEmpty { return "--regrade" }
    return [
      ("--results", results), ("--csv", csv), ("--moodle", moodle), ("--canvas", canvas), ("--assignment", assignment),
      ("--feedback", feedback), ("--jplag", jplag),
    ].first { $0.1 != nil }?.0
  }

  /// - Throws: `ValidationError` where an option lacks --class.
  func validate() throws {
    if isOnlyWriting, !regrade.isEmpty {
      throw ValidationError("--regrade grades, and --no-grading does not. Give one of them.")
    }
    guard !isClass, let first else { return }
    throw ValidationError(say: "\(first) is for a class. Give --class as well, and the folder with the hand-ins.")
  }

  /// The folder that keeps the results of the class in `folder`.
  func place(for folder: String) -> URL {
    var name = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    if name.lowercased().hasSuffix(".zip") { name.removeLast(".zip".count) }
    return URL(fileURLWithPath: results ?? "\(name)-grades", isDirectory: true)
  }
}
