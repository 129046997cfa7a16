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
        try GradebookFile(path, to: results, inPlace: options.isInPlace) {
          try Gradebook(moodle: $0, called: path)
        })
    }
    if let path = options.canvas {
      books.append(
        try GradebookFile(path, to: results, inPlace: options.isInPlace) {
          try Gradebook(canvas: $0, called: path, assignment: options.assignment)
        })
    }
    self.books = books
  }

  /// The paths of the files that are the teacher's, and no hand-ins.
  var own: [String] { [csv?.path, feedback?.url.path].compactMap { $0 } + books.flatMap(\.paths) }

  /// The platform whose names the hand-ins have: that of the only gradebook.
  var platform: LearningPlatform? { books.count == 1 ? books[0].platform : nil }

  /// The students of Canvas's gradebook, by id, as it writes them into the names of files.
  var students: [String: String] { books.first { $0.platform == .canvas }?.names ?? [:] }

  /// The hand-ins with the doubts that the gradebooks cast on them.
  func doubted(_ rows: [GradedHandIn]) -> [GradedHandIn] {
    var rows = rows
    for book in books { book.doubt(&rows) }
    return rows
  }

  /// Writes all of them, and says what of it needs a look.
  ///
  /// - Throws: `LessonKitError` with code `environment` where one cannot be written now.
  func write(_ rows: [GradedHandIn], _ messages: Messages) throws {
    try feedback?.write(rows, messages.catalogue)
    try csv?.write(ClassSheet(rows, messages.catalogue).text)
    for book in books { try book.write(rows, messages) }
  }
}
