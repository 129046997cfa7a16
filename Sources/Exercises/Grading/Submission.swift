// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One student's files, each at the exercise that it is of.
public struct Submission: Sendable {
  /// How many archives of one hand-in are opened, and how deep within each other.
  private static let (archives, depth) = (8, 2)
  /// Endings of archives that are not opened.
  private static let otherArchives: Set = ["rar", "7z", "tar", "gz", "tgz", "bz2", "xz", "lha", "cab", "iso"]

  /// The choice of a file for each exercise that is asked for, by the exercise's id.
  private var choices: [String: ProgramChoice] = [:]
  private let contents: HandInContents
  /// Why archives stayed closed.
  private let refusals: [Phrase]
  /// Where the opened archives lie, as long as the submission is in use.
  private let opened: TemporaryFolder?

  /// The exercises found below `folder`: each file `Exercise.swift` in a folder with an exercise's name.
  ///
  /// - Throws: as `HandInContents.add`.
  public init(_ folder: URL, of course: ExerciseCourse) throws(LessonKitError) {
    var contents = HandInContents(of: course)
    try contents.add(folder)
    self.init(contents, for: course.exercises, [], nil)
  }

  private init(_ contents: HandInContents, for exercises: [Exercise], _ refusals: [Phrase], _ opened: TemporaryFolder?)
  {
    (self.contents, self.refusals, self.opened) = (contents, refusals, opened)
    for exercise in exercises {
      choices[exercise.id] = ProgramChoice(exercise, in: contents, isOnly: exercises.count == 1)
    }
  }

  /// A hand-in as students make them. Where one exercise alone is to be graded and the hand-in has one Swift file, that is
  /// the student's, whatever its name and folder. Archives are opened, also those within them.
  ///
  /// - Throws: `LessonKitError`: code `unreadable` as for a folder, `environment` when an archive cannot be opened on this
  ///   machine; `CancellationError`.
  public static func opening(
    _ handIn: HandIn, of course: ExerciseCourse, for exercises: [Exercise]
  ) async throws -> Submission {
    var contents = HandInContents(of: course)
    let folder = try TemporaryFolder()
    for (number, place) in handIn.places.enumerated() {
      try contents.add(ReadableCopy.place(place, in: folder, numbered: number))
    }
    var refusals: [Phrase] = []
    var count = 0
    for _ in 1...depth {
      for archive in contents.takeArchives() {
        count += 1
        guard count <= archives else {
          refusals.append("“\(FileNames.printable(archive.lastPathComponent))” is one archive too many")
          continue
        }
        let place = try folder.makeFolder("\(count)")
        switch try await HandInArchive.open(archive, into: place) {
        case .opened(let others):
          contents.add(others: others)
          try contents.add(place, fromArchive: true)
        // The files written until then count for nothing.
        case .refused(let why): refusals.append(why)
        }
      }
    }
    for archive in contents.takeArchives() {
      refusals.append("“\(FileNames.printable(archive.lastPathComponent))” lies too deep within other archives")
    }
    return Submission(contents, for: exercises, refusals, folder)
  }

  /// The path of the student's file, nil where there is none.
  public func file(of exercise: Exercise) -> URL? {
    guard case .taken(let file, _) = choices[exercise.id] else { return nil }
    return file
  }

  /// What the student should know of the choice of the file; empty where there is nothing to say.
  func remark(on exercise: Exercise) -> Phrase {
    guard case .taken(_, let remark) = choices[exercise.id] else { return .empty }
    return remark
  }

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

  // MARK: - Without a file

  /// The result of an exercise without a file: missing where nothing in the hand-in may be its program, else undecided. It says
  /// what was looked for, and what was found instead.
  func lack(of exercise: Exercise) -> ExerciseResult {
    let wanted = "\(exercise.name)/\(Exercise.fileName)"
    if case .open(let why) = choices[exercise.id] { return ExerciseResult(exercise, .undecided, why: why) }
    if !refusals.isEmpty { return ExerciseResult(exercise, .undecided, why: refusals.joined("; ")) }
    if contents.isEmpty { return ExerciseResult(exercise, .missing, why: "there is no \(wanted), and no other file") }
    let homes = contents.exercises.keys.map { "\($0)/\(Exercise.fileName)" }
    let strays = contents.programs.filter { !contents.exercises.values.contains($0.file) }.map(\.file.lastPathComponent)
    let found = FileNames.list(homes + strays + contents.others + contents.hidden)
    // Who hands in exercises in their folders has none for this one; who does not may have it in whatever was found.
    let isCertain =
      !contents.programs.isEmpty && contents.programs.allSatisfy { $0.exercise != nil } && !hasOtherArchive
    return ExerciseResult(
      exercise, isCertain ? .missing : .undecided, why: "there is no \(wanted); found: \(found)")
  }

  private var hasOtherArchive: Bool {
    contents.others.contains { Self.otherArchives.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
  }
}
