// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// A class's hand-ins in one folder: each entry, be it a folder, a file or an archive, is that of one student. Hidden
/// entries and what a Mac adds to archives are left out. Where a learning platform names several entries after one student, they
/// are one hand-in.
public struct ClassFolder: Sendable {
  /// The hand-ins, by name.
  public let handIns: [HandIn]

  /// The hand-ins in `folder`, without the entries at these paths, which are the teacher's own. `students` are ids by which
  /// Canvas names files.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is no folder, or holds nothing.
  public init(_ folder: URL, without own: [String] = [], students: Set<String> = []) throws(LessonKitError) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      throw LessonKitError(
        .unreadable, "“\(folder.path)” is no folder that can be read. Name the folder with the hand-ins of the class.")
    }
    let owned = Set(own.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path })
    let places = names.filter { !HandInContents.isHidden($0) }.sorted().map(folder.appendingPathComponent).filter {
      !owned.contains($0.resolvingSymlinksInPath().path)
    }
    guard !places.isEmpty else {
      throw LessonKitError(.unreadable, "“\(folder.path)” holds no hand-in. Name the folder with those of the class.")
    }
    let named = places.map { Self.handIn($0, students) }
    handIns = Dictionary(grouping: named, by: \.name).map { name, parts in
      HandIn(name: name, places: parts.flatMap(\.places), student: parts[0].student)
    }.sorted { $0.name < $1.name }
  }

  private static func handIn(_ place: URL, _ students: Set<String>) -> HandIn {
    let name = place.lastPathComponent
    if let file = MoodleFileName(name) {
      return HandIn(name: "\(file.who)_\(file.student)", places: [place], student: file.student)
    }
    // Other names of files look alike, so the gradebook says whether it is a student's.
    if let file = CanvasFileName(name), students.contains(file.student) {
      return HandIn(name: "\(file.who)_\(file.student)", places: [place], student: file.student)
    }
    return HandIn(at: place.path)
  }
}

/// Canvas's form of the name of a file that a student hands in: `exampleada_12345_67890_Exercise.swift`, with `_LATE`
/// behind the first part where it came late.
struct CanvasFileName: Sendable, Hashable {
  /// The student's names, run together.
  let who: String
  /// The student's id.
  let student: String

  /// Nil for another name.
  init?(_ name: String) {
    guard let match = name.wholeMatch(of: #/([^_]+)(?:_LATE)?_([0-9]+)_[0-9]+_.+/#.dotMatchesNewlines()) else {
      return nil
    }
    (who, student) = (String(match.1), String(match.2))
  }
}
