// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The files of the lessons: their texts and the sources of their examples.
public struct LessonText: Sendable {
  /// The environment variable that names the folder of lessons when it is not where it was built.
  public static let variable = "WORKBENCH_LESSONS"

  /// The folder of lessons.
  public let root: URL

  /// The folder `Lessons` of the package that this program was built from.
  public static let builtFolder = URL(fileURLWithPath: "../../../Lessons", relativeTo: URL(fileURLWithPath: #filePath))
    .standardizedFileURL

  /// The files below `root`, or below the folder that the environment names.
  public init(root: URL = builtFolder, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    self.root = named.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? root
  }

  /// The lesson's text, Markdown.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the file cannot be read.
  public func text(of lesson: Lesson, in language: Language) throws(LessonKitError) -> String {
    try read("\(lesson.folder)/\(language.file("lesson"))")
  }

  /// The source of one of the lesson's examples.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the file cannot be read.
  public func source(of example: Example, in lesson: Lesson) throws(LessonKitError) -> String {
    try read(lesson.folder + "/" + example.file)
  }

  /// The code that a lesson's text refers to; nil where its marks are missing.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the file cannot be read.
  public func excerpt(_ reference: CodeReference, in lesson: Lesson) throws(LessonKitError) -> CodeExcerpt? {
    CodeExcerpt(of: try read("\(lesson.folder)/\(reference.file)"), named: reference.name)
  }

  /// A text beside the lessons, such as `glossary` or `course`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the file cannot be read.
  public func text(named name: String, in language: Language) throws(LessonKitError) -> String {
    try read(language.file(name))
  }

  /// Any file below the folder of lessons, such as `claims.yml`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the file cannot be read.
  public func text(in file: String) throws(LessonKitError) -> String { try read(file) }

  /// The file of the recorded figures, below the folder of lessons.
  public static let recordFile = "figures.json"

  /// The figures that the texts show; none when nothing was recorded yet.
  ///
  /// - Throws: `LessonKitError` with code `environment` or `unreadable`.
  public func record() throws(LessonKitError) -> RunRecord {
    guard FileManager.default.fileExists(atPath: root.appendingPathComponent(Self.recordFile).path) else {
      return RunRecord()
    }
    let text = try read(Self.recordFile)
    do {
      return try JSONDecoder().decode(RunRecord.self, from: Data(text.utf8))
    } catch {
      throw LessonKitError(.unreadable, "\(Self.recordFile) is damaged. Remove it and run Scripts/figures again.")
    }
  }

  /// Replaces a lesson's text.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be written.
  public func write(_ text: String, of lesson: Lesson, in language: Language) throws(LessonKitError) {
    try write(text, to: "\(lesson.folder)/\(language.file("lesson"))")
  }

  /// Replaces a file below the folder of lessons.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be written.
  public func write(_ text: String, to path: String) throws(LessonKitError) {
    let file = root.appendingPathComponent(path)
    do {
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw LessonKitError(
        .environment, "The file \(file.path) cannot be written. Is there space, and may you write it?")
    }
  }

  private func read(_ path: String) throws(LessonKitError) -> String {
    let file = root.appendingPathComponent(path)
    do {
      return try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw LessonKitError(
        .environment,
        "The lesson's file \(file.path) cannot be read. Set \(Self.variable) to the package's folder Lessons.")
    }
  }
}
