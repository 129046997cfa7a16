// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One student's files below a folder.
public struct Submission: Sendable {
  /// How deep below the folder an exercise may lie, and how many entries are looked at.
  private static let (depth, entries) = (6, 20_000)

  /// The student's file of an exercise, by the exercise's id.
  private let files: [String: URL]

  /// The exercises found below `folder`: each file `Exercise.swift` in a folder with an exercise's name. Symbolic links are
  /// not followed, for they may lead to another student's file.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is no folder, or when it holds an exercise twice, as the folders
  ///   of two students do.
  public init(_ folder: URL, of course: ExerciseCourse) throws(LessonKitError) {
    let keys: [URLResourceKey] = [.isSymbolicLinkKey, .isRegularFileKey]
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil,
      let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
    else {
      throw LessonKitError(.unreadable, "“\(folder.path)” is no folder that can be read. Name the student's folder.")
    }
    var files: [String: URL] = [:]
    var seen = 0
    while let file = walk.nextObject() as? URL, seen < Self.entries {
      seen += 1
      if walk.level >= Self.depth { walk.skipDescendants() }
      guard file.lastPathComponent == Exercise.fileName,
        let exercise = course.exercises.first(where: { $0.name == file.deletingLastPathComponent().lastPathComponent }),
        let values = try? file.resourceValues(forKeys: Set(keys)), values.isSymbolicLink != true
      else { continue }
      if let other = files[exercise.id] {
        throw LessonKitError(
          .unreadable,
          "“\(other.path)” and “\(file.path)” are the same exercise. Grade one student's folder at a time.")
      }
      files[exercise.id] = file
    }
    self.files = files
  }

  /// The path of the student's file, nil where there is none.
  public func file(of exercise: Exercise) -> URL? { files[exercise.id] }
}
