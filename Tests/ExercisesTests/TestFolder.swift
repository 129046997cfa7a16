// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Subprocess
import Testing

@testable import Exercises

/// A folder of a test's own, removed with its last owner.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("exercises-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file below the folder and answers its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Writes a program for the shell below the folder and answers its path.
  @discardableResult
  func writeProgram(_ script: String, to name: String) throws -> String {
    let path = try write("#!/bin/sh\n\(script)\n".utf8, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}

extension TestFolder {
  /// Writes an archive with Python: each entry is a name with its text; a name that begins with “link:” is a link, a text that
  /// begins with “file:” names a file below the folder.
  func pack(_ entries: [(String, String)], to name: String) async throws {
    let script = """
      import os, sys, zipfile
      os.chdir(sys.argv[1])
      os.makedirs(os.path.dirname(sys.argv[2]) or ".", exist_ok=True)
      with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
          for name, text in zip(sys.argv[3::2], sys.argv[4::2]):
              entry = zipfile.ZipInfo(name.removeprefix("link:"))
              entry.external_attr = (0o120777 if name.startswith("link:") else 0o100644) << 16
              if text.startswith("file:"):
                  text = open(text.removeprefix("file:"), "rb").read()
              archive.writestr(entry, text * 3000000 if name.startswith("large") else text)
      """
    let words = entries.flatMap { [$0.0, $0.1] }
    let result = try await Subprocess.run(
      .name("python3"), arguments: Arguments(["-W", "ignore", "-c", script, url.path, name] + words),
      output: .string(limit: 4096), error: .string(limit: 4096))
    try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
  }
}

/// A course of one new exercise, “mine”, as the scaffold writes it.
extension TestFolder {
  static func withNewExercise() throws -> TestFolder {
    let home = try TestFolder()
    _ = try ExerciseScaffold(named: "mine", lessons: LessonText().root).write(to: home.url)
    return home
  }

  /// The exercise's folder.
  var mine: URL { url.appendingPathComponent("mine/exercise") }

  func exercise() throws -> Exercise { try ExerciseCourse(folder: url).exercise(named: "mine") }

  /// Puts `new` in place of `old`, which the exercise's file must have.
  func change(_ file: String, _ old: String, _ new: String) throws {
    let place = mine.appendingPathComponent(file)
    let text = try String(contentsOf: place, encoding: .utf8)
    try #require(text.contains(old))
    try Data(text.replacing(old, with: new).utf8).write(to: place)
  }
}

extension ProgramCache {
  /// The tests' own, which stays beside the build: the compiler reads the system's modules once, not in each test.
  static let ofTests = ProgramCache(environment: [
    "XDG_CACHE_HOME": URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("programs-of-tests").path
  ])
}

extension ExerciseChecker {
  /// A checker whose programs may run for `timeout`: for much longer than any here takes.
  static func ofTests(
    timeout: Duration = .seconds(60), environment: [String: String] = ProcessInfo.processInfo.environment,
    keepingRunsOf version: String? = nil, compilations: Int = 1
  ) throws -> ExerciseChecker {
    ExerciseChecker(
      try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests, environment: environment), timeout: timeout,
      executable: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("workbench").path, keepingRunsOf: version,
      compilations: compilations)
  }
}
