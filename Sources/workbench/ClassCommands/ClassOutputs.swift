// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit

/// The files that the grades of a class are written to. Whether they can be written is looked at before anything is graded.
struct ClassOutputs {
  private let csv: OutputFile?
  private let books: [GradebookFile]
  private let feedback: FeedbackFolder?

  /// - Throws: `LessonKitError` where a file cannot be written, or one that is read is not what it should be.
  init(_ options: ClassOptions, results: URL, course: ExerciseCourse) throws {
    feedback = try options.feedback.map { path throws(LessonKitError) in try FeedbackFolder(path, of: course) }
    csv = try options.csv.map { path throws(LessonKitError) in try OutputFile(path) }
    var books: [GradebookFile] = []
    if let path = options.moodle {
      books.append(
        try GradebookFile(path, platform: "Moodle", to: results, inPlace: options.isInPlace) {
          try Gradebook(moodle: $0, called: path)
        })
    }
    if let path = options.canvas {
      books.append(
        try GradebookFile(path, platform: "Canvas", to: results, inPlace: options.isInPlace) {
          try Gradebook(canvas: $0, called: path, assignment: options.assignment)
        })
    }
    self.books = books
  }

  /// The paths of the files that are the teacher's, and no hand-ins.
  var own: [String] { [csv?.path, feedback?.url.path].compactMap { $0 } + books.flatMap(\.paths) }

  /// The ids by which a platform names the files of its students.
  var students: Set<String> { Set(books.flatMap(\.ids)) }

  /// Writes all of them, and says what of it needs a look.
  ///
  /// - Throws: `LessonKitError` with code `environment` where one cannot be written now.
  func write(_ rows: [GradedHandIn], _ messages: Messages) throws {
    try feedback?.write(rows, messages.catalogue)
    try csv?.write(ClassSheet(rows).text)
    for book in books { try book.write(rows, messages) }
  }
}
