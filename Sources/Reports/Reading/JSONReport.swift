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

  /// The report that `text(_:)` wrote into the file `name`, also in version 1 of the model; its `schema` says which.
  ///
  /// - Throws: a `LessonKitError` of code `unreadable` that names the file and the cure.
  public static func run(from data: Data, named name: String) throws(LessonKitError) -> RunReport {
    guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
      let version = object["schema"] as? Int
    else {
      throw LessonKitError(
        .unreadable, "“\(name)” is no report of a run: write one with `workbench run --json`.")
    }
    guard (1...RunReport.schema).contains(version) else {
      throw LessonKitError(
        .unreadable,
        "“\(name)” has version \(version) of the report; only versions 1 to \(RunReport.schema) are known here.")
    }
    do {
      let upgraded = try ReportUpgrade().report(object)
      return try JSONDecoder().decode(RunReport.self, from: JSONSerialization.data(withJSONObject: upgraded))
    } catch {
      throw LessonKitError(
        .unreadable, "“\(name)” is not a whole report of a run: write it again with `workbench run --json`.")
    }
  }
}
