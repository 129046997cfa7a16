// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The contents of a hand-in, as far as grading needs them: exercises in folders with their names, Swift files
/// elsewhere, archives, and the names of the rest. Symbolic links are not followed, for they may lead to another
/// student's file; hidden files and what a Mac adds to archives are left out.
struct HandInContents: Sendable {
  /// How deep below a folder a file may lie, and how many entries are looked at.
  private static let depth = 6
  static let entries = 20_000
  /// How many names of other files are kept.
  private static let kept = 50
  private static let keys: Set<URLResourceKey> = [.isSymbolicLinkKey, .isRegularFileKey, .isDirectoryKey]

  /// The exercises in folders with their names, by id.
  private(set) var exercises: [String: URL] = [:]
  /// The other Swift files, with the exercise in whose folder they lie; nil where that is none.
  private(set) var programs: [(exercise: String?, file: URL)] = []
  /// Files that an archive's name has.
  private(set) var archives: [URL] = []
  /// The names of other files, the first ones.
  private(set) var others: [String] = []
  private var notes: URL?

  private let course: ExerciseCourse

  init(of course: ExerciseCourse) { self.course = course }

  /// True if no file was found at all.
  var isEmpty: Bool { exercises.isEmpty && programs.isEmpty && archives.isEmpty && others.isEmpty }

  /// Takes names of files that lie in an archive and stay there.
  mutating func add(others names: [String]) { others += names.prefix(max(0, Self.kept - others.count)) }

  /// Takes in a folder or a single file.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it cannot be read, when it holds more than can be a student's
  ///   work, or when it holds an exercise or the notes of a student twice, as the folders of two students do.
  mutating func add(_ place: URL) throws(LessonKitError) {
    let values = try? place.resourceValues(forKeys: Self.keys)
    if values?.isDirectory == true, values?.isSymbolicLink != true { return try add(folder: place) }
    guard values?.isRegularFile == true || values?.isSymbolicLink == true else {
      throw LessonKitError(
        .unreadable, "“\(place.path)” is no folder and no file that can be read. Name the student's folder.")
    }
    try add(file: place, isLink: values?.isSymbolicLink == true, isNamed: true)
  }

  /// The programs that may be of an exercise: those that lie in no other one's folder.
  func programs(of exercise: Exercise) -> [URL] {
    programs.filter { $0.exercise == nil || $0.exercise == exercise.id }.map { $0.file }
  }

  private mutating func add(folder: URL) throws(LessonKitError) {
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil,
      let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(Self.keys))
    else {
      throw LessonKitError(.unreadable, "“\(folder.path)” is no folder that can be read. Name the student's folder.")
    }
    var seen = 0
    while let file = walk.nextObject() as? URL {
      guard !Self.isHidden(file.lastPathComponent) else {
        walk.skipDescendants()
        if file.lastPathComponent == StateNotes.fileName { try note(file) }
        continue
      }
      seen += 1
      if seen > Self.entries { throw Self.tooMany(folder) }
      if walk.level >= Self.depth { walk.skipDescendants() }
      let values = try? file.resourceValues(forKeys: Self.keys)
      if values?.isDirectory == true, values?.isSymbolicLink != true { continue }
      try add(file: file, isLink: values?.isSymbolicLink == true, isNamed: false)
    }
  }

  static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") || name == "__MACOSX" }

  /// The folder around a file that is named itself is the teacher's, and says nothing.
  private mutating func add(file: URL, isLink: Bool, isNamed: Bool) throws(LessonKitError) {
    let name = file.lastPathComponent
    let home =
      isNamed && name != Exercise.fileName
      ? nil : course.exercises.first { $0.name == file.deletingLastPathComponent().lastPathComponent }
    switch file.pathExtension.lowercased() {
    case _ where isLink: add(others: [name])
    case "swift":
      guard let home, name == Exercise.fileName else { return programs.append((home?.id, file)) }
      if let other = exercises[home.id] {
        throw LessonKitError(
          .unreadable,
          "“\(other.path)” and “\(file.path)” are the same exercise. Grade one student's folder at a time.")
      }
      exercises[home.id] = file
    case "zip": archives.append(file)
    default: add(others: [name])
    }
  }

  /// Takes the notes of one student, and no others': exercises of two would be graded as those of one.
  private mutating func note(_ file: URL) throws(LessonKitError) {
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
}
