// SPDX-License-Identifier: Apache-2.0
import Foundation
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
}
