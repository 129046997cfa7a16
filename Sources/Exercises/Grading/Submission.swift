// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One student's files, each at the exercise that it is of.
public struct Submission: Sendable {
  /// How many archives of one hand-in are opened.
  private static let archives = 4

  /// The student's file of an exercise, by the exercise's id.
  private let files: [String: URL]
  private let contents: HandInContents
  /// Why archives stayed closed.
  private var refusals: [Phrase] = []
  /// Where the opened archives lie, as long as the submission is in use.
  private var opened: TemporaryFolder?

  /// The exercises found below `folder`: each file `Exercise.swift` in a folder with an exercise's name.
  ///
  /// - Throws: as `HandInContents.add`.
  public init(_ folder: URL, of course: ExerciseCourse) throws(LessonKitError) {
    var contents = HandInContents(of: course)
    try contents.add(folder)
    self.init(contents, for: [])
  }

  private init(_ contents: HandInContents, for exercises: [Exercise]) {
    var files = contents.exercises
    if exercises.count == 1, files[exercises[0].id] == nil {
      let programs = contents.programs(of: exercises[0])
      if programs.count == 1 { files[exercises[0].id] = programs[0] }
    }
    (self.files, self.contents) = (files, contents)
  }

  /// A hand-in as students make them. Where one exercise alone is to be graded and the hand-in has one Swift file, that is
  /// the student's, whatever its name and folder. Archives are opened where no program lies beside them.
  ///
  /// - Throws: `LessonKitError`: code `unreadable` as for a folder, `environment` when an archive cannot be opened on this
  ///   machine; `CancellationError`.
  public static func opening(
    _ handIn: HandIn, of course: ExerciseCourse, for exercises: [Exercise]
  ) async throws -> Submission {
    var contents = HandInContents(of: course)
    for place in handIn.places { try contents.add(place) }
    guard contents.exercises.isEmpty, contents.programs.isEmpty, !contents.archives.isEmpty else {
      return Submission(contents, for: exercises)
    }
    let folder = try TemporaryFolder()
    var refusals: [Phrase] = []
    for (number, archive) in contents.archives.prefix(archives).enumerated() {
      let place = try folder.makeFolder("\(number)")
      switch try await HandInArchive.open(archive, into: place) {
      case .opened(let others):
        contents.add(others: others)
        try contents.add(place)
      // The files written until then count for nothing.
      case .refused(let why): refusals.append(why)
      }
    }
    var submission = Submission(contents, for: exercises)
    (submission.refusals, submission.opened) = (refusals, folder)
    return submission
  }

  /// The path of the student's file, nil where there is none.
  public func file(of exercise: Exercise) -> URL? { files[exercise.id] }

  /// Copies the student's files of these exercises into a new folder: one exercise's as a file, several in folders.
  ///
  /// - Throws: what the disk says; nothing is there then, or the first files.
  public func copy(_ exercises: [Exercise], to folder: URL) throws {
    for exercise in exercises {
      guard let file = file(of: exercise) else { continue }
      let home = exercises.count == 1 ? folder : folder.appendingPathComponent(exercise.name, isDirectory: true)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: file, to: home.appendingPathComponent(Exercise.fileName))
    }
  }

  /// Why there is no file of an exercise: what was looked for, and what was found instead.
  func lack(of exercise: Exercise) -> Phrase {
    let wanted = "\(exercise.name)/\(Exercise.fileName)"
    if !refusals.isEmpty { return refusals.joined("; ") }
    if contents.isEmpty { return "there is no \(wanted), and no other file" }
    let files = contents.programs.map { $0.file } + contents.archives
    let homes = contents.exercises.keys.map { "\($0)/\(Exercise.fileName)" }
    let found = FileNames.list(homes + files.map(\.lastPathComponent) + contents.others)
    let programs = contents.programs(of: exercise)
    guard programs.count > 1 else { return "there is no \(wanted); found: \(found)" }
    return "there is no \(wanted), and \(programs.count) Swift files, of which it may be any; found: \(found)"
  }
}
