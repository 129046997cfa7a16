// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
public import LessonKit

/// The folder in which a student works: a folder for each exercise, and the notes.
public struct StudentFolder: Sendable {
  /// The name of the folder where none is given.
  public static let defaultName = "workbench-exercises"

  /// The folder.
  public let url: URL

  /// The folder at `path`; without one, the current folder where it holds the notes, else `workbench-exercises` in it.
  public init(_ path: String?, current: String = FileManager.default.currentDirectoryPath) {
    let here = URL(fileURLWithPath: current, isDirectory: true)
    if let path {
      url = URL(fileURLWithPath: path, isDirectory: true, relativeTo: here).absoluteURL.standardizedFileURL
    } else if FileManager.default.fileExists(atPath: here.appendingPathComponent(StateNotes.fileName).path) {
      url = here
    } else {
      url = here.appendingPathComponent(Self.defaultName, isDirectory: true)
    }
  }

  /// The student's file of an exercise.
  public func file(of exercise: Exercise) -> URL { place(exercise, Exercise.fileName) }

  /// True if the student has a file of the exercise.
  public func has(_ exercise: Exercise) -> Bool { isThere(file(of: exercise)) }

  private func place(_ exercise: Exercise, _ file: String) -> URL { place(exercise.name, file) }

  private func place(_ name: String, _ file: String) -> URL {
    url.appendingPathComponent(name, isDirectory: true).appendingPathComponent(file)
  }

  // MARK: - Files

  /// Hands an exercise out. Answers the files written; none is written over.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func start(_ exercise: Exercise, in language: Language) throws(LessonKitError) -> [URL] {
    let files = [
      (place(exercise, Exercise.fileName), try exercise.text(of: Exercise.fileName)),
      (place(exercise, "task.md"), try exercise.text(of: language.file("task"))),
    ]
    let missing = files.filter { !isThere($0.0) }
    for (file, text) in missing { try write(text, to: file) }
    if notes()[exercise.id].state == .new { try note(exercise) { $0.state = .started } }
    return missing.map(\.0)
  }

  /// Hands the exercise out again. The student's file is kept under the first free name `Exercise.swift.1`, `.2`, …, which
  /// is answered; nil where there was none. What needs space comes first, so that a failure leaves the files as they were.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func reset(_ exercise: Exercise, in language: Language) throws(LessonKitError) -> URL? {
    let file = file(of: exercise)
    guard isThere(file) else {
      _ = try start(exercise, in: language)
      try note(exercise) { $0.state = .started }
      return nil
    }
    let fresh = place(exercise, ".\(Exercise.fileName).\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: fresh) }
    try write(try exercise.text(of: Exercise.fileName), to: fresh, for: file)
    _ = try start(exercise, in: language)
    try note(exercise) { $0.state = .started }
    return try replace(file, by: fresh, of: exercise)
  }

  /// Puts a new file in the student's place, which gets the first free one of the names `Exercise.swift.1`, `.2`, …, and
  /// answers that. It takes no space, and at any moment the student's program is under one of both names.
  private func replace(_ file: URL, by fresh: URL, of exercise: Exercise) throws(LessonKitError) -> URL {
    var (number, isLink) = (1, false)
    var kept: URL { place(exercise, "\(Exercise.fileName).\(number)") }
    while true {
      while isThere(kept) { number += 1 }
      isLink = link(file.path, kept.path) == 0
      // Not every disk knows second names (link(2)).
      if isLink || errno != EEXIST && rename(file.path, kept.path) == 0 { break }
      if errno != EEXIST { throw cannotWrite(kept, errno) }
    }
    guard rename(fresh.path, file.path) != 0 else { return kept }
    let code = errno
    _ = isLink ? unlink(kept.path) : rename(kept.path, file.path)
    throw cannotWrite(file, code)
  }

  /// Puts solution and explanation beside the student's file. Answers the files; those that are there are left as they are.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func showSolution(_ exercise: Exercise, in language: Language) throws(LessonKitError) -> [URL] {
    let files = [
      (place(exercise, "Solution.swift"), try exercise.text(of: "Solution.swift")),
      (place(exercise, "explanation.md"), try exercise.text(of: language.file("explanation"))),
    ]
    for (file, text) in files where !isThere(file) { try write(text, to: file) }
    if notes()[exercise.id].state != .passed { try note(exercise) { $0.revealed = true } }
    return files.map(\.0)
  }

  // MARK: - Notes

  /// How far the student is with an exercise.
  public func state(of exercise: Exercise) -> ExerciseState { state(named: exercise.name, id: exercise.id) }

  /// How far the student is with the exercise of this name and id.
  public func state(named name: String, id: String) -> ExerciseState {
    guard isThere(place(name, Exercise.fileName)) else { return .new }
    let noted = notes()[id].state
    return noted == .new ? .started : noted
  }

  /// Notes what a check found.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func checked(_ exercise: Exercise, passed: Bool) throws(LessonKitError) {
    try note(exercise) { $0.state = passed ? .passed : .failing }
  }

  /// The number of the next hint, from 1, which counts as seen from now on; the last one again when all were seen.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func nextHint(of exercise: Exercise) throws(LessonKitError) -> Int {
    let next = hintToCome(of: exercise)
    try saw(hint: next, of: exercise)
    return next
  }

  /// The number of the next hint, from 1; the last one again when all were seen.
  public func hintToCome(of exercise: Exercise) -> Int {
    min(exercise.manifest.hints.count, notes()[exercise.id].hints + 1)
  }

  /// Notes that the student has seen the hints up to this one.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the folder cannot be written to.
  public func saw(hint number: Int, of exercise: Exercise) throws(LessonKitError) {
    try note(exercise) { $0.hints = max($0.hints, number) }
  }

  /// How many hints of an exercise the student has seen.
  public func hintsSeen(of exercise: Exercise) -> Int { min(exercise.manifest.hints.count, notes()[exercise.id].hints) }

  private var notesFile: URL { url.appendingPathComponent(StateNotes.fileName) }

  private func notes() -> StateNotes {
    (try? String(contentsOf: notesFile, encoding: .utf8)).map(StateNotes.init(parsing:)) ?? StateNotes()
  }

  private func note(_ exercise: Exercise, _ change: (inout StateNotes.Entry) -> Void) throws(LessonKitError) {
    var notes = notes()
    change(&notes[exercise.id])
    try write(notes.text, to: notesFile)
  }

  // MARK: - Disk

  /// True if there is anything under this name, also a link that leads nowhere.
  private func isThere(_ file: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil
  }

  /// Writes a file as a whole; an error names `other` where that is what the file is for.
  private func write(_ text: String, to file: URL, for other: URL? = nil) throws(LessonKitError) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw cannotWrite(other ?? file, Self.code(of: error))
    }
  }

  /// The system's number for an error of Foundation's; 0 where it has none.
  private static func code(of error: any Error) -> Int32 {
    switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteNoPermission: EACCES
    case .fileWriteVolumeReadOnly: EROFS
    default: 0
    }
  }

  /// The error that a file cannot be written, by the system's number for the reason.
  func cannotWrite(_ file: URL, _ code: Int32) -> LessonKitError {
    let folder = file.deletingLastPathComponent().path
    let words: Phrase =
      switch code {
      case ENOSPC, EDQUOT: "\(file.path) cannot be written: the disk is full. Free some space on it and call again."
      case EACCES, EPERM, EROFS:
        "\(file.path) cannot be written: the system does not permit it. Make \(folder) writable for you, or name another "
          + "folder with --folder."
      default:
        "\(file.path) cannot be written. Is there space, and may you write there? --folder names another folder."
      }
    return LessonKitError(.environment, "\(words) Your own files are unchanged.")
  }
}
