// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Pages

/// The folder with the pages that the students of a class get back.
struct FeedbackFolder {
  /// The folder.
  let url: URL
  private let course: ExerciseCourse

  /// - Throws: `LessonKitError` with code `environment` where the folder cannot be made.
  init(_ path: String, of course: ExerciseCourse) throws(LessonKitError) {
    (url, self.course) = (URL(fileURLWithPath: path, isDirectory: true), course)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw Self.cannotWrite(path)
    }
  }

  /// Writes a page for each hand-in that has a grade, in place of an earlier one; the earlier page of any other goes.
  ///
  /// - Throws: `LessonKitError` with code `environment` where one cannot be written.
  func write(_ rows: [GradedHandIn], _ say: StringCatalogue) throws {
    for row in rows {
      let file = url.appendingPathComponent(row.page)
      guard row.graded != nil, let text = try FeedbackPage(row, course: course, say).text() else {
        try? FileManager.default.removeItem(at: file)
        continue
      }
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
      } catch {
        throw Self.cannotWrite(file.path)
      }
    }
  }

  private static func cannotWrite(_ path: String) -> LessonKitError {
    LessonKitError(.environment, "The file \(path) cannot be written. Is there space, and may you write it?")
  }
}
