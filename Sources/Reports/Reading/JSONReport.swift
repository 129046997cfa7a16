// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The secrets that a file of requests does not tell.
extension RequestSeen {
  /// Fields by which a client proves who it is, in lower case.
  private static let secrets: Set = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

  /// What stands in place of a secret.
  static let hidden = "(hidden)"

  /// The fields as a file shows them: whoever gets the file must not be able to log in with it.
  var fieldsWithoutSecrets: [String: String] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0.key, Self.secrets.contains($0.key) ? Self.hidden : $0.value) })
  }

  /// The line of a field, such as `Cookie: (hidden)`.
  static func withoutSecret(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":"), secrets.contains(line[..<colon].lowercased()) else { return line }
    return "\(line[...colon]) \(hidden)"
  }
}

extension RunReport {
  fileprivate var withoutSecrets: RunReport {
    var report = self
    for lesson in report.lessons.indices {
      for example in report.lessons[lesson].examples.indices {
        for request in report.lessons[lesson].examples[example].requests.indices {
          let seen = report.lessons[lesson].examples[example].requests[request]
          report.lessons[lesson].examples[example].requests[request].fields = seen.fieldsWithoutSecrets
          let lines = (
            seen.fieldLines?.map(RequestSeen.withoutSecret), seen.answerLines?.map(RequestSeen.withoutSecret)
          )
          report.lessons[lesson].examples[example].requests[request].fieldLines = lines.0
          report.lessons[lesson].examples[example].requests[request].answerLines = lines.1
        }
      }
    }
    return report
  }
}

/// JSON as `--json` prints it: one value, keys in alphabetical order, a line break at the end.
public enum JSONReport {
  /// The most bytes of a file that is read. The bounds of its numbers are such that those of so many bytes can be added up.
  private static let largest = 32 << 20

  /// The report of a run, without the values of fields that are credentials.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold, such as an infinite time.
  public static func text(_ report: RunReport) throws -> String { try encoded(report.withoutSecrets) }

  /// Any other value a command prints.
  ///
  /// - Throws: as for a report.
  public static func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// A value as files of the tree keep it: below so many levels of objects and arrays each value takes one line.
  ///
  /// - Throws: as for a report.
  public static func stored(_ value: some Encodable, levels: Int) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var (text, depth, isInString, isEscaped) = ("", 0, false, false)
    func breakLine() { text += depth <= levels ? "\n" + String(repeating: " ", count: 2 * depth) : "" }
    for character in String(decoding: try encoder.encode(value), as: UTF8.self) {
      if isInString {
        isInString = character != "\"" || isEscaped
        isEscaped = character == "\\" && !isEscaped
        text.append(character)
        continue
      }
      if character == "}" || character == "]" {
        let wasLaidOut = depth <= levels
        depth -= 1
        if wasLaidOut { breakLine() }
      }
      text.append(character)
      switch character {
      case "\"": isInString = true
      case "{", "[":
        depth += 1
        breakLine()
      case ",": breakLine()
      case ":": text += depth <= levels ? " " : ""
      default: break
      }
    }
    return text + "\n"
  }

  /// The report that `text(_:)` wrote into the file `name`, also in version 1 of the model; its `schema` says which.
  ///
  /// - Throws: a `LessonKitError` of code `unreadable` that names the file and the cure.
  public static func run(from data: Data, named name: String) throws(LessonKitError) -> RunReport {
    guard data.count <= largest else {
      throw LessonKitError(
        .unreadable,
        "“\(name)” has \(data.count) bytes. The report of a run has at most \(largest); is it the right file?")
    }
    // A file may come from anywhere: no number is beyond what can be calculated with, and no text commands a terminal.
    let bounded = VisibleText.json(BoundedNumbers.line(String(decoding: data, as: UTF8.self)))
    guard let object = (try? JSONSerialization.jsonObject(with: bounded)) as? [String: Any],
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
