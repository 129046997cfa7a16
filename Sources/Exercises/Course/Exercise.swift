// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// One exercise of a course: its manifest and the files beside it.
public struct Exercise: Sendable, Hashable {
  /// The file that a student works on.
  public static let fileName = "Exercise.swift"
  static let manifestName = "exercise.yml"

  /// What its manifest says.
  public let manifest: ExerciseManifest
  /// Its folder in the course.
  public let folder: URL
  /// The name of the folder that a student gets, such as `lesson-04-memory-peak`.
  public let name: String

  /// Its id, such as `lesson-04`.
  public var id: String { manifest.id }
  /// The number in its id, nil where there is none.
  public var number: Int? { Int(id.drop { !$0.isNumber }) }

  /// Whether a person means it: by its id, its folder's name, its number, or what stands behind the number.
  func isCalled(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return names.map { $0.lowercased() }.contains(wanted) || Int(wanted).map { $0 == number } ?? false
  }

  /// Its id, its folder's name, and what stands behind the id there.
  var names: [String] { [id, name, slug] }

  /// What stands behind the id in its folder's name; the whole name where it does not begin with the id.
  var slug: String { name.hasPrefix(id + "-") ? String(name.dropFirst(id.count + 1)) : name }

  /// Reads the manifest in `folder`. Errors call it `calledBy`, or by its path.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`; its sentence names file and line.
  init(reading folder: URL, name: String, calledBy file: String? = nil) throws(LessonKitError) {
    self.folder = folder
    self.name = name
    let path = folder.appendingPathComponent(Self.manifestName).path
    manifest = try ExerciseManifest(parsing: Self.text(at: path, calledBy: file ?? path), file: file ?? path)
  }

  /// One of its files, such as `Solution.swift`.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`.
  public func text(of file: String) throws(LessonKitError) -> String {
    try Self.text(at: path(of: file), calledBy: path(of: file))
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

  /// Whether its solution is there. The edition for students has none.
  public var hasSolution: Bool { FileManager.default.fileExists(atPath: path(of: "Solution.swift")) }

  /// The path of one of its files.
  public func path(of file: String) -> String { folder.appendingPathComponent(file).path }
}
