// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
public import LessonKit

/// A teacher's new exercise: a copy of a small exercise that works, under a name of its own, to be changed bit by bit.
public struct ExerciseScaffold: Sendable {
  private static let template = "Texts/new-exercise/exercise"
  private static let templateID = "new-exercise"

  /// Where the files to be copied lie.
  private let source: URL
  /// The name of the exercise's folder in the course.
  public let name: String
  /// The exercise's id, which commands know it by.
  public let id: String

  /// A scaffold of this name. `root` is the folder of lessons, beside which the files to be copied lie.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` when the name is no good as one of a folder.
  public init(named name: String, lessons root: URL) throws(LessonKitError) {
    guard name.count <= 64, name.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil, Int(name) == nil else {
      throw LessonKitError(
        .unknownName,
        "“\(name)” cannot be an exercise's name. Take small letters, digits and hyphens, such as lesson-28-my-topic.")
    }
    source = root.appendingPathComponent(Self.template, isDirectory: true)
    self.name = name
    id = (name.prefixMatch(of: #/(lesson-[0-9]+)-/#)?.1).map(String.init) ?? name
  }

  /// Writes the files into the course's folder, all of them or none, and answers them.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when the course has such an exercise, and `environment` when the
  ///   folder cannot be written to.
  public func write(to course: URL) throws(LessonKitError) -> [URL] {
    let home = course.appendingPathComponent(name, isDirectory: true)
    let folder = home.appendingPathComponent(ExerciseCourse.subfolder, isDirectory: true)
    try checkFree(folder, in: course)
    let names = try templateFiles()
    let work = home.appendingPathComponent(".exercise-\(UUID())", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: work) }
    for name in names { try copy(name, to: work) }
    guard rename(work.path, folder.path) == 0 else { throw cannotWrite(folder, String(cString: strerror(errno))) }
    return names.map(folder.appendingPathComponent)
  }

  private func checkFree(_ folder: URL, in course: URL) throws(LessonKitError) {
    if (try? FileManager.default.attributesOfItem(atPath: folder.path)) != nil {
      throw LessonKitError(
        .unreadable, "“\(folder.path)” is there already; nothing was written over it. Give the exercise another name.")
    }
    // A folder that holds no exercise yet is no course, which is all right here.
    guard let other = (try? ExerciseCourse(folder: course))?.exercises.first(where: { $0.id == id }) else { return }
    throw LessonKitError(
      .unreadable, "“\(other.name)” of this course has the id “\(id)” already. Give the exercise another name.")
  }

  private func templateFiles() throws(LessonKitError) -> [String] {
    let files = ((try? FileManager.default.subpathsOfDirectory(atPath: source.path)) ?? [])
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") || $0.hasSuffix(".yml") }
    guard files.contains(Exercise.manifestName) else {
      throw LessonKitError(
        .environment,
        "The files to begin with are missing in \(source.path). Set \(LessonText.variable) to the package's Lessons.")
    }
    return files.sorted()
  }

  private func copy(_ file: String, to folder: URL) throws(LessonKitError) {
    let place = folder.appendingPathComponent(file)
    do {
      let text = try String(contentsOf: source.appendingPathComponent(file), encoding: .utf8)
      let own = file == Exercise.manifestName ? text.replacing("id: \(Self.templateID)", with: "id: \(id)") : text
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(own.utf8).write(to: place)
    } catch {
      throw cannotWrite(place, error.localizedDescription)
    }
  }

  private func cannotWrite(_ place: URL, _ why: String) -> LessonKitError {
    let why = why.hasSuffix(".") ? String(why.dropLast()) : why
    return LessonKitError(
      .environment,
      "\(place.path) cannot be written: \(why). Free some space or mend its rights; --course names another folder.")
  }
}
