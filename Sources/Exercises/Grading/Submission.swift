// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One student's files below a folder.
public struct Submission: Sendable {
  /// How deep below the folder an exercise may lie, and how many entries are looked at.
  private static let depth = 6
  static let entries = 20_000

  /// The student's file of an exercise, by the exercise's id.
  private let files: [String: URL]

  /// The exercises found below `folder`: each file `Exercise.swift` in a folder with an exercise's name. Symbolic links are
  /// not followed, for they may lead to another student's file, and hidden folders are left out.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is no folder, when it holds more than can be a student's work,
  ///   or when it holds an exercise or the notes of a student twice, as the folders of two students do.
  public init(_ folder: URL, of course: ExerciseCourse) throws(LessonKitError) {
    let keys: [URLResourceKey] = [.isSymbolicLinkKey, .isRegularFileKey]
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil,
      let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
    else {
      throw LessonKitError(.unreadable, "“\(folder.path)” is no folder that can be read. Name the student's folder.")
    }
    var (files, notes, seen) = ([String: URL](), URL?.none, 0)
    while let file = walk.nextObject() as? URL {
      guard !file.lastPathComponent.hasPrefix(".") else {
        walk.skipDescendants()
        if file.lastPathComponent == StateNotes.fileName { try Self.note(file, in: &notes) }
        continue
      }
      seen += 1
      if seen > Self.entries { throw Self.tooMany(folder) }
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

  /// Takes the notes of one student, and no others': exercises of two would be graded as those of one.
  private static func note(_ file: URL, in notes: inout URL?) throws(LessonKitError) {
    if let other = notes {
      throw LessonKitError(
        .unreadable,
        "“\(other.path)” and “\(file.path)” are the notes of two students. Grade one student's folder at a time.")
    }
    notes = file
  }

  private static func tooMany(_ folder: URL) -> LessonKitError {
    LessonKitError(
      .unreadable,
      "“\(folder.path)” holds more than \(entries) files, and exercises among them would be overlooked. Name the student's "
        + "folder, or remove what a build left there.")
  }

  /// The path of the student's file, nil where there is none.
  public func file(of exercise: Exercise) -> URL? { files[exercise.id] }
}
