// SPDX-License-Identifier: Apache-2.0
public import Foundation
import LessonKit

/// The workbench's rules of formatting, and the toolchain's swift-format, which compares files with them.
public struct FormatRules: Sendable, Hashable {
  private static let tool = "swift-format"

  private let formatter: String
  private let file: String

  /// The rules of the package that this build belongs to.
  ///
  /// - Throws: `ExercisesError` with code `environment` when the tool or the rules are missing.
  public init(
    built: BuiltWorkbench, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ExercisesError) {
    guard let formatter = try Toolchain(environment: environment).sibling(Self.tool) else {
      throw ExercisesError(
        .environment,
        "\(Self.tool) does not lie beside swiftc. Install all of Swift's toolchain, as https://www.swift.org/install/linux "
          + "says.")
    }
    file = built.package.appendingPathComponent(".swift-format").path
    guard FileManager.default.fileExists(atPath: file) else {
      throw ExercisesError(
        .environment,
        "The rules of formatting are missing: \(file). Take that file from the workbench's sources.")
    }
    self.formatter = formatter
  }

  /// The first place of each of these files of the exercise that is not formatted by the rules, with the cure.
  ///
  /// - Throws: `ExercisesError` with code `environment` when the tool cannot be started; `CancellationError`.
  func faults(of exercise: Exercise, _ names: [String]) async throws -> [Phrase] {
    let there = names.filter { FileManager.default.isReadableFile(atPath: exercise.path(of: $0)) }
    guard !there.isEmpty else { return [] }
    let temporary = FileManager.default.temporaryDirectory.path
    let arguments = ["lint", "--strict", "--configuration", file] + there.map(exercise.path)
    let run = try await ToolRun(formatter, arguments, ToolRun.Limits(), temporary: temporary)
    guard !run.succeeded else { return [] }
    let lines = run.output.split(whereSeparator: \.isNewline)
    let faults = there.compactMap { fault(of: exercise.path(of: $0), called: $0, in: lines) }
    return faults.isEmpty ? ["\(formatter) says: \(Phrase(verbatim: run.output))"] : faults
  }

  /// The tool prints a line for each place: path, line, column, severity and what is to be changed.
  private func fault(of path: String, called name: String, in lines: [Substring]) -> Phrase? {
    guard let line = lines.first(where: { $0.hasPrefix("\(path):") }) else { return nil }
    let parts = line.dropFirst(path.count + 1).split(separator: ":", maxSplits: 3)
    let (place, words) = (parts.first ?? "1", parts.last ?? "")
    let what = words.trimmingCharacters(in: .whitespaces)
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
