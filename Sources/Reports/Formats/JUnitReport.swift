// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The verdicts of a run as JUnit XML: a suite for each lesson, a case for each claim and check, with the columns that
/// its findings look at in its name.
public struct JUnitReport {
  private let report: RunReport

  /// The verdicts of `report`.
  public init(_ report: RunReport) { self.report = report }

  /// The XML, a line break at the end. Attributes and elements are those that strict schemas in use allow.
  public var text: String {
    let suites = report.lessons.map(suite)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites.joined() + "</testsuites>\n"
  }

  private func suite(_ lesson: LessonResult) -> String {
    let claims = lesson.claims + lesson.checks
    let failures = claims.count { !$0.isAsExpected }
    let skipped = claims.count(where: \.tooSmall)
    let time = lesson.examples.reduce(0) { $0 + $1.time.wall }
    let name = Self.attribute("\(lesson.id) \(lesson.title)")
    let head =
      "  <testsuite name=\"\(name)\" tests=\"\(claims.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"\(Self.seconds(time))\" timestamp=\"\(Self.attribute(Self.local(report.started)))\">\n"
    let circumstances = Self.attribute(report.circumstances.description)
    let properties =
      "    <properties>\n      <property name=\"circumstances\" value=\"\(circumstances)\"/>\n\(pitfalls(lesson))    </properties>\n"
    return head + properties + claims.map { testCase($0, of: lesson) }.joined() + "  </testsuite>\n"
  }

  /// A property for each example that has pitfalls.
  private func pitfalls(_ lesson: LessonResult) -> String {
    lesson.examples.map { example in
      let names = example.pitfallNames.joined(separator: " ")
      return names.isEmpty
        ? "" : "      <property name=\"pitfalls of \(Self.attribute(example.id))\" value=\"\(names)\"/>\n"
    }.joined()
  }

  private func testCase(_ claim: ClaimResult, of lesson: LessonResult) -> String {
    let sides = self.sides(of: claim, in: lesson).map(\.rawValue).joined(separator: ", ")
    let name = Self.attribute("\(claim.id) (\(sides))")
    let head =
      "    <testcase classname=\"workbench.\(Self.attribute(lesson.id))\" name=\"\(name)\" time=\"0.000\""
    if claim.tooSmall {
      return head + ">\n      <skipped message=\"not settled with this size\"/>\n    </testcase>\n"
    }
    guard !claim.isAsExpected else { return head + "/>\n" }
    let message = "\(VerdictWords.of(claim.verdict)), expected: \(VerdictWords.of(claim.expected))"
    return head
      + ">\n      <failure message=\"\(Self.attribute(message))\" type=\"verdict\">\(Self.attribute(explanation(of: claim)))</failure>\n    </testcase>\n"
  }

  /// The columns of the examples that the claim's findings name; all that ran where they name none.
  private func sides(of claim: ClaimResult, in lesson: LessonResult) -> [Side] {
    let named = Set(claim.findings.flatMap { words(of: $0.what.description) })
    let found = lesson.examples.filter { example in
      named.contains(example.id) || named.contains(String(example.id.drop { $0 != "/" }.dropFirst()))
    }
    let sides = Set((found.isEmpty ? lesson.examples : found).map(\.side))
    return Side.allCases.filter(sides.contains)
  }

  private func words(of text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "/") }.map(String.init)
  }

  private func explanation(of claim: ClaimResult) -> String {
    let findings = claim.findings.map { finding in
      "\(finding.holds ? "·" : "✗") \(finding.what): \(finding.measured) [\(finding.bound)]"
    }
    return ([ClaimTable[claim.id]?.sentence ?? "", claim.explanation.description] + findings)
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Seconds without an exponent.
  static func seconds(_ seconds: Double) -> String { String(format: "%.3f", max(0, seconds)) }

  /// The date and time without a zone, as schemas have it.
  private static func local(_ date: String) -> String { date.hasSuffix("Z") ? String(date.dropLast()) : date }

  /// Text that may stand in XML 1.0: control characters, ESC above all, are left out (XML 1.0, section 2.2).
  static func attribute(_ text: String) -> String {
    let allowed = text.unicodeScalars.filter { scalar in
      scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value < 0xFFFE)
        || scalar.value >= 0x10000
    }
    return Markup.escaped(String(String.UnicodeScalarView(allowed)))
  }
}
