// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One exercise of a course: its manifest and the files beside it.
public struct Exercise: Sendable {
  /// The file that a student works on.
  public static let fileName = "Exercise.swift"
  static let manifestName = "exercise.yml"
  static let solution = "Solution.swift"
  /// The folder of the near misses.
  private static let misses = "Misses/"

  /// The content of its manifest.
  public let manifest: ExerciseManifest
  /// Its folder in the course.
  public let folder: URL
  /// The name of the folder that a student gets, such as `lesson-04-memory-peak`.
  public let name: String

  /// Its id, such as `lesson-04`.
  public var id: String { manifest.id }
  /// The number in its id, nil where there is none.
  public var number: Int? { Int(id.drop { !$0.isNumber }) }

  /// True if a person means it: by its id, its folder's name, its number, or what stands behind the number.
  public func isCalled(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return names.map { $0.lowercased() }.contains(wanted) || NameSearch.number(in: name).map { $0 == number } ?? false
  }

  /// Its id, its folder's name, and what stands behind the id there.
  var names: [String] { [id, name, slug] }

  /// The part behind the id in its folder's name; the whole name where it does not begin with the id.
  public var slug: String { name.hasPrefix(id + "-") ? String(name.dropFirst(id.count + 1)) : name }

  /// Reads the manifest in `folder`. Errors call it `calledBy`, or by its path.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`; its sentence names file and line.
  init(reading folder: URL, name: String, calledBy file: String? = nil) throws(LessonKitError) {
    self.folder = folder
    self.name = name
    let path = folder.appendingPathComponent(Self.manifestName).path
    manifest = try ExerciseManifest(parsing: Self.text(at: path, calledBy: file ?? path), file: file ?? path)
  }

  /// One of its files, such as `Solution.swift`. Of a near miss kept as an edit it is the program that the edit makes.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`.
  public func text(of file: String) throws(LessonKitError) -> String {
    guard let name = edit(making: file) else { return try Self.text(at: path(of: file), calledBy: path(of: file)) }
    let edit = try SourceEdit(
      parsing: Self.text(at: path(of: name), calledBy: path(of: name)), file: name,
      making: String(file.dropFirst(Self.misses.count)))
    let bases = programs.filter { !$0.hasPrefix(Self.misses) }
    guard bases.contains(edit.base) else {
      let known = bases.joined(separator: ", ")
      let what: Phrase = "“\(edit.base)” is none of the programs that an edit may change: \(known)"
      throw LessonKitError(.unreadable, "\(name), line \(1): \(what)")
    }
    return try edit.applied(to: Self.text(at: path(of: edit.base), calledBy: path(of: edit.base)))
  }

  /// The file of the edit that a near miss is kept as, such as `Misses/Twice.edit` for `Misses/Twice.swift`; nil where it is
  /// kept whole, and for every other file.
  func edit(making file: String) -> String? {
    guard file.hasPrefix(Self.misses), file.hasSuffix(".swift") else { return nil }
    let edit = "\(file.dropLast("swift".count))edit"
    return [file, edit].first { FileManager.default.fileExists(atPath: path(of: $0)) } == edit ? edit : nil
  }

  /// All of its programs: as handed out, the solution, those that must fail, those that must pass.
  var programs: [String] {
    [Self.fileName, Self.solution] + manifest.misses.keys.sorted().map { Self.misses + $0 }
      + manifest.rights.map { "Rights/\($0)" }
  }

  private static func text(at path: String, calledBy name: String) throws(LessonKitError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw LessonKitError(.unreadable, "The file “\(name)” cannot be read. Is it there, and may you read it?")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      let line = StudentFile.brokenLine(of: data)
      throw LessonKitError(
        .unreadable, "\(name):\(line): these bytes are no UTF-8. Save the file as UTF-8 in your editor.")
    }
    return text
  }

  /// True if its solution is there. The edition for students has none.
  public var hasSolution: Bool { FileManager.default.fileExists(atPath: path(of: Self.solution)) }

  /// The path of one of its files.
  public func path(of file: String) -> String { folder.appendingPathComponent(file).path }
}
