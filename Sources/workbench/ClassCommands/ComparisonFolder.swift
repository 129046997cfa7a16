// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit

/// The programs of a class laid out for a check of similarity: a folder for each hand-in, with the Swift files alone.
struct ComparisonFolder {
  /// The folder.
  let url: URL

  /// - Throws: `LessonKitError` with code `unreadable` where there is something at the path already, which would be compared, too.
  init(_ path: String) throws(LessonKitError) {
    url = URL(fileURLWithPath: path, isDirectory: true)
    guard (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.isEmpty ?? true else {
      throw LessonKitError(.unreadable, "“\(path)” holds something already. Name a folder that is new or empty.")
    }
  }

  /// Writes the programs. A hand-in without a program has no folder.
  ///
  /// - Throws: `LessonKitError` with code `environment` where one cannot be written.
  func write(_ handIns: [HandIn], of course: ExerciseCourse, _ exercises: [Exercise]) async throws {
    for handIn in handIns {
      guard let submission = try await Self.open(handIn, of: course, exercises) else { continue }
      // A folder's name has at most 255 bytes, as a file's.
      let folder = url.appendingPathComponent(String(FileNames.file(handIn.name, "d").dropLast(2)), isDirectory: true)
      do {
        try submission.copy(exercises, to: folder)
      } catch {
        throw LessonKitError(
          .environment, "The file \(folder.path) cannot be written. Is there space, and may you write it?")
      }
    }
  }

  /// A hand-in that is not as one should be has no program to compare.
  private static func open(
    _ handIn: HandIn, of course: ExerciseCourse, _ exercises: [Exercise]
  ) async throws -> Submission? {
    do {
      return try await Submission.opening(handIn, of: course, for: exercises)
    } catch let error as LessonKitError where error.code == .unreadable {
      return nil
    }
  }
}
