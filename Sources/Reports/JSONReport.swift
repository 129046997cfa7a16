// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// JSON as `--json` prints it: one value, keys in alphabetical order, a line break at the end.
public enum JSONReport {
  /// The report of a run.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold, such as an infinite time.
  public static func text(_ report: RunReport) throws -> String { try encoded(report) }

  /// Any other value a command prints.
  ///
  /// - Throws: as for a report.
  public static func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// The report that `text(_:)` wrote into the file `name`.
  ///
  /// - Throws: a `LessonKitError` of code `unreadable` that names the file and the cure.
  public static func run(from data: Data, named name: String) throws -> RunReport {
    struct Version: Decodable { var schema: Int }
    func refusal(_ words: String) -> LessonKitError { LessonKitError(.unreadable, "“\(name)” \(words)") }
    guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
      throw refusal("is no report of a run: write one with `workbench run --json`.")
    }
    guard version.schema == 1 else {
      throw refusal("has version \(version.schema) of the report; only version 1 is known here.")
    }
    do {
      return try JSONDecoder().decode(RunReport.self, from: data)
    } catch {
      throw refusal("is not a whole report of a run: write it again with `workbench run --json`.")
    }
  }
}
