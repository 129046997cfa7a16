// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The workbench's rules of formatting, and the toolchain's swift-format, which compares files with them.
public struct FormatRules: Sendable, Hashable {
  private static let tool = "swift-format"

  private let formatter: String
  private let file: String

  /// The rules of the package that this build belongs to.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the tool or the rules are missing.
  public init(
    built: BuiltWorkbench, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LessonKitError) {
    guard let formatter = try Toolchain(environment: environment).sibling(Self.tool) else {
      throw LessonKitError(
        .environment,
        "\(Self.tool) does not lie beside swiftc. Install all of Swift's toolchain, as https://www.swift.org/install/linux "
          + "says.")
    }
    file = built.package.appendingPathComponent(".swift-format").path
    guard FileManager.default.fileExists(atPath: file) else {
      throw LessonKitError(
        .environment,
        "The rules of formatting are missing: \(file). Take that file from the workbench's sources.")
    }
    self.formatter = formatter
  }

  /// The first place of each of these programs of the exercise that is not formatted by the rules, with the cure.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the tool cannot be started; `LessonKitError` with that code
  ///   when a program that an edit makes cannot be written; `CancellationError`.
  func faults(of exercise: Exercise, _ names: [String]) async throws -> [Phrase] {
    let room = try TemporaryFolder()
    defer { withExtendedLifetime(room) {} }
    let there = try names.compactMap { name in
      try place(of: name, of: exercise, in: room).map { (name: name, path: $0) }
    }
    guard !there.isEmpty else { return [] }
    let temporary = FileManager.default.temporaryDirectory.path
    let arguments = ["lint", "--strict", "--configuration", file] + there.map(\.path)
    let run = try await ToolRun(formatter, arguments, ToolRun.Limits(), temporary: temporary)
    guard !run.succeeded else { return [] }
    let lines = run.output.split(whereSeparator: \.isNewline)
    let faults = there.compactMap {
      fault(of: $0.path, called: $0.name, edit: exercise.edit(making: $0.name), in: lines)
    }
    return faults.isEmpty ? ["\(formatter) says: \(Phrase(verbatim: run.output))"] : faults
  }

  /// Where the tool finds a program: an edit's is written into `room`. Nil for what cannot be read, which the inspection names.
  private func place(of name: String, of exercise: Exercise, in room: TemporaryFolder) throws -> String? {
    guard exercise.edit(making: name) != nil else {
      let path = exercise.path(of: name)
      return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }
    guard let program = try? exercise.text(of: name) else { return nil }
    return try room.makeFile(URL(fileURLWithPath: name).lastPathComponent, program).path
  }

  /// The tool prints a line for each place: path, line, column, severity and what is to be changed.
  private func fault(of path: String, called name: String, edit: String?, in lines: [Substring]) -> Phrase? {
    guard let line = lines.first(where: { $0.hasPrefix("\(path):") }) else { return nil }
    let parts = line.dropFirst(path.count + 1).split(separator: ":", maxSplits: 3)
    let (place, words) = (parts.first ?? "1", parts.last ?? "")
    let what = words.trimmingCharacters(in: .whitespaces)
    if let edit {
      return "\(edit): line \(String(place)) of the program that it makes is not formatted by the rules: \(what)"
    }
    return "\(name):\(String(place)): it is not formatted by the rules: \(what); mend it with: swift"
      + " format --in-place --configuration '\(file)' '\(path)'"
  }
}

extension Toolchain {
  /// Another tool of the toolchain: beside the compiler, or beside what a link in its place leads to.
  fileprivate func sibling(_ name: String) -> String? {
    let place = URL(fileURLWithPath: compiler)
    let folders = [place, place.resolvingSymlinksInPath()].map { $0.deletingLastPathComponent().path }
    return Self.find(name, in: folders)
  }
}
