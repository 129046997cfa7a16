// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The contents of a hand-in, as far as grading needs them: exercises in folders with their names, Swift files
/// elsewhere, archives, and the names of the rest. Symbolic links are not followed, for they may lead to another
/// student's file; hidden files and what a Mac adds to archives are left out.
struct HandInContents: Sendable {
  /// How deep below a folder a file may lie, and how many entries are looked at.
  static let depth = 6
  static let entries = 20_000
  /// How many names of other files are kept.
  private static let kept = 50
  private static let keys: Set<URLResourceKey> = [.isSymbolicLinkKey, .isRegularFileKey, .isDirectoryKey]

  /// The exercises in folders with their names, by id.
  private(set) var exercises: [String: URL] = [:]
  /// All Swift files, with the exercise in whose folder they lie; nil where that is none.
  private(set) var programs: [(exercise: String?, file: URL)] = []
  /// Zip archives that were not taken out yet.
  private(set) var archives: [URL] = []
  /// The names of other files, the first ones.
  private(set) var others: [String] = []
  /// The names of hidden files and folders that no system and no tool of Swift's leaves there.
  private(set) var hidden: [String] = []
  private var notes: URL?
  private var isPacked = false

  private let course: ExerciseCourse

  init(of course: ExerciseCourse) { self.course = course }

  /// True if no file was found at all.
  var isEmpty: Bool { programs.isEmpty && archives.isEmpty && others.isEmpty && hidden.isEmpty }

  /// Takes the archives out, so that they may be opened; their names stay among those of other files.
  mutating func takeArchives() -> [URL] {
    defer { archives = [] }
    add(others: archives.map(\.lastPathComponent))
    return archives
  }

  /// Takes names of files that lie in an archive and stay there.
  mutating func add(others names: [String]) { others += names.prefix(max(0, Self.kept - others.count)) }

  /// Takes in a folder or a single file. What an archive holds is a student's in any case, however often.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it cannot be read, when it holds more than can be a student's
  ///   work, or when it holds an exercise or the notes of a student twice, as the folders of two students do.
  mutating func add(_ place: URL, fromArchive isPacked: Bool = false) throws(LessonKitError) {
    self.isPacked = isPacked
    let values = try? place.resourceValues(forKeys: Self.keys)
    if values?.isDirectory == true, values?.isSymbolicLink != true { return try add(folder: place) }
    guard values?.isRegularFile == true || values?.isSymbolicLink == true else {
      throw LessonKitError(
        .unreadable, "“\(place.path)” is no folder and no file that can be read. Name the student's folder.")
    }
    try add(file: place, isLink: values?.isSymbolicLink == true, isNamed: true)
  }

  /// True if a name ends as that of a Swift file does. Windows hides that it has added `.txt`.
  static func isProgram(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".swift") || name.hasSuffix(".swift.txt")
  }

  /// True if it lies in the folder of a Swift package that was handed in as well.
  func isInPackage(_ file: URL) -> Bool {
    programs.contains { program in
      program.file.lastPathComponent == "Package.swift"
        && file.path.hasPrefix(program.file.deletingLastPathComponent().path + "/")
    }
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
        try add(hidden: file)
        continue
      }
      seen += 1
      if seen > Self.entries { throw Self.tooMany(folder) }
      let values = try? file.resourceValues(forKeys: Self.keys)
      if values?.isDirectory == true, values?.isSymbolicLink != true {
        guard walk.level >= Self.depth else { continue }
        walk.skipDescendants()
        add(others: ["\(file.lastPathComponent)/"])
        continue
      }
      try add(file: file, isLink: values?.isSymbolicLink == true, isNamed: false)
    }
  }

  private mutating func add(hidden file: URL) throws(LessonKitError) {
    let name = file.lastPathComponent
    if name == StateNotes.fileName { return try note(file) }
    let isOrdinary =
      name.hasPrefix("._") || [".DS_Store", "__MACOSX", ".build", ".git", ".swiftpm", ".vscode"].contains(name)
    if !isOrdinary, hidden.count < Self.kept { hidden.append(name) }
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
    case _ where Self.isProgram(name):
      programs.append((home?.id, file))
      guard let home, name == Exercise.fileName else { return }
      if let other = exercises[home.id] {
        guard !isPacked else { return }
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
      guard !isPacked else { return }
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
