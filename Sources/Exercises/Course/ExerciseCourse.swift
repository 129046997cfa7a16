// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The exercises of a folder: the workbench's own lessons, or a teacher's course of the same shape.
public struct ExerciseCourse: Sendable {
  /// The environment variable that names a teacher's course.
  public static let variable = "WORKBENCH_COURSE"
  static let subfolder = "exercise"

  /// The exercises, by id.
  public let exercises: [Exercise]
  /// The folder of the course.
  public let folder: URL

  /// The course in `folder`: each exercise lies in a folder `exercise` within one that names it.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`; its sentence names what is wrong, with file and line.
  public init(folder: URL) throws(LessonKitError) {
    self.folder = folder
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil else {
      throw LessonKitError(
        .unreadable, "The course “\(folder.path)” cannot be read. Is it a folder, and may you read it?")
    }
    var found: [Exercise] = []
    for (name, place) in Self.folders(in: folder) {
      let next = try Exercise(reading: place, name: name)
      if let other = found.first(where: { $0.id == next.id }) {
        throw LessonKitError(
          .unreadable,
          "“\(other.name)” and “\(next.name)” of this course have the same id “\(next.id)”. Give one of them another.")
      }
      found.append(next)
    }
    guard !found.isEmpty else {
      throw LessonKitError(
        .unreadable,
        "“\(folder.path)” holds no exercise: a course has folders with exercise/\(Exercise.manifestName) in them.")
    }
    exercises = found.sorted { ($0.number ?? .max, $0.id) < ($1.number ?? .max, $1.id) }
  }

  /// The names of the exercises in `folder`, such as `lesson-04-memory-peak`, none of which is read.
  public static func names(in folder: URL) -> [String] { folders(in: folder).map(\.name) }

  /// The folders below `folder` that hold an exercise, with the names by which the course knows them.
  static func folders(in folder: URL) -> [(name: String, place: URL)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { ($0, folder.appendingPathComponent("\($0)/\(subfolder)", isDirectory: true)) }
      .filter { FileManager.default.fileExists(atPath: $0.1.appendingPathComponent(Exercise.manifestName).path) }
  }

  /// The exercise that a person calls so.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its sentence names the closest.
  public func exercise(named name: String) throws(LessonKitError) -> Exercise {
    if let found = exercises.first(where: { $0.isCalled(name) }) { return found }
    let numbers = exercises.compactMap(\.number)
    if let number = NameSearch.number(in: name), let first = numbers.min(), let last = numbers.max(),
      !(first...last).contains(number)
    {
      throw LessonKitError(
        .unknownName,
        "There is no exercise \(number): they are numbered \(first) to \(last). “workbench exercise list” shows all.")
    }
    let closest = NameSearch.closest(to: name, candidates)
    throw LessonKitError(.unknownName, "There is no exercise “\(name)”.\(closest) “workbench exercise list” shows all.")
  }

  /// The exercise that a person means by this name, see `LessonCatalog.lesson(meantBy:)`.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its sentence names those that it may mean, or the closest.
  public func exercise(meantBy name: String) throws(LessonKitError) -> Exercise {
    if exercises.contains(where: { $0.isCalled(name) }) { return try exercise(named: name) }
    guard let only = try NameSearch.only(meantBy: name, among: candidates) else { return try exercise(named: name) }
    return exercises[only]
  }

  private var candidates: [NameSearch.Candidate] {
    exercises.map { (label: "\($0.id) (\($0.slug))", names: $0.names, number: $0.number) }
  }
}
