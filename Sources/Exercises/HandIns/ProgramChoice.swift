// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The file of a hand-in that is the student's program of an exercise, where that is certain.
///
/// Problem: students hand in versions of a file, whole packages, and programs under other names. To take one of several at a
/// guess costs points where another was meant. Choice: a file is taken where nothing else in the hand-in may be meant;
/// everything else is left to a person, with what was found. Files with the same bytes are one.
enum ProgramChoice: Sendable, Hashable {
  /// This one, with what is to be said of it; the remark may be empty.
  case taken(URL, remark: Phrase)
  /// A person decides, for this reason.
  case open(Phrase)
  /// The hand-in has no program that may be of the exercise.
  case none

  /// More files than these are not compared.
  private static let compared = 40

  /// The choice for an exercise; `isOnly` where no other one is graded, so that a file in no exercise's folder is of that one.
  init(_ exercise: Exercise, in contents: HandInContents, isOnly: Bool) {
    let own = contents.programs.filter { $0.exercise == exercise.id || isOnly && $0.exercise == nil }
    let files = own.map(\.file).sorted { $0.path < $1.path }
    let named = own.filter { Self.isVersion($0.file.lastPathComponent) }
    let home = named.first { $0.exercise == exercise.id }?.file
    let exact = contents.exercises[exercise.id] ?? home ?? named.map(\.file).min { $0.path < $1.path }
    guard let first = exact ?? files.first else {
      self = .none
      return
    }
    if Self.areSame(files) {
      self = .taken(first, remark: Self.remark(on: first, equal: files.count))
    } else if Self.areSame(named.map(\.file)), named.isEmpty == false, home != nil || contents.isInPackage(first) {
      self = .taken(first, remark: home == nil ? Self.remark(on: first, of: files.count) : Self.remark(on: first))
    } else {
      self = .open(Self.question(exercise, files, named.map(\.file)))
    }
  }

  /// True if a file's name says that it is the exercise's, or a version of it: `Exercise (1).swift`, `exercise-new.swift.txt`.
  private static func isVersion(_ name: String) -> Bool {
    name.lowercased().wholeMatch(of: #/exercise([^a-z].*)?\.swift(\.txt)?/#.dotMatchesNewlines()) != nil
  }

  /// True if all of them have the same bytes.
  private static func areSame(_ files: [URL]) -> Bool {
    guard files.count > 1, let first = files.first else { return true }
    guard files.count <= compared, let data = FileManager.default.contents(atPath: first.path) else { return false }
    return files.dropFirst().allSatisfy { FileManager.default.contents(atPath: $0.path) == data }
  }

  // MARK: - Words

  private static func remark(on file: URL, equal count: Int = 1) -> Phrase {
    let name = FileNames.printable(file.lastPathComponent)
    if count > 1 { return "“\(name)” counts; the hand-in has \(count) files with the same bytes." }
    return file.pathExtension.lowercased() == "txt"
      ? "“\(name)” is taken as a Swift file; it should end with .swift." : .empty
  }

  private static func remark(on file: URL, of count: Int) -> Phrase {
    "The hand-in is a Swift package with \(count) Swift files, of which “\(FileNames.printable(file.lastPathComponent))” counts."
  }

  private static func question(_ exercise: Exercise, _ files: [URL], _ named: [URL]) -> Phrase {
    if !areSame(named) {
      return
        "there are \(named.count) versions of \(Exercise.fileName), and any of them may count: \(FileNames.list(named.map(\.lastPathComponent)))"
    }
    let found = FileNames.list(files.map(\.lastPathComponent))
    return
      "there is no \(exercise.name)/\(Exercise.fileName), and \(files.count) Swift files, of which it may be any; found: \(found)"
  }
}
