// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit

/// The work of `grade` for a class: its own part, and that of the process that grades one of the hand-ins.
extension GradeCommand {
  /// The grading of the class in the folder.
  func grading(_ exercises: [Exercise], of lessons: ExerciseCourse) -> ClassGrading {
    let named = exercises.flatMap { ["--lesson", $0.id] }
    let limit = timeout.map { ["--timeout", "\(Int(($0.duration / .milliseconds(1)).rounded()))ms"] } ?? []
    let isolated = requireIsolation ? ["--require-isolation"] : []
    let often = repetitions > 1 ? ["--repeat", "\(repetitions)"] : []
    let folder = course.named.map { ["--course", URL(fileURLWithPath: $0).path] } ?? []
    return ClassGrading(
      folder: self.folder, course: lessons, exercises: exercises, jobs: jobs,
      way: named + limit + often + isolated + folder,
      language: reader.spoken, options: whole, messages: reader.messages)
  }

  /// - Throws: `ValidationError` where an option is for one student alone.
  func validate() throws {
    guard whole.isClass, output != nil || format != .json else { return }
    throw ValidationError(
      say: "--output and --format are for one student. With --class give --csv, and --results for the rest.")
  }

  /// The student's files. A hand-in that is not as one should be is undecided, and the report says why; of a class it is a
  /// result, and nil.
  func submission(of course: ExerciseCourse, _ exercises: [Exercise]) async throws -> Submission? {
    let places = ([folder] + whole.further).map { URL(fileURLWithPath: $0) }
    let handIn = HandIn(
      name: places[0].lastPathComponent, places: places.map { $0.resolvingSymlinksInPath() })
    do {
      return try await Submission.opening(handIn, of: course, for: exercises)
    } catch let error as LessonKitError where error.code == .unreadable {
      try write(GradeReport(exercises.map { ExerciseResult($0, .undecided, why: error.phrase) }))
      guard whole.isMember else { throw error }
      return nil
    }
  }
}
