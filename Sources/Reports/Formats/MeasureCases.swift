// SPDX-License-Identifier: Apache-2.0
import LessonKit
public import Measuring
import Pitfalls

/// The pitfalls of a measured command as JUnit XML: a suite for each process, a case for each pitfall of the catalogue. One
/// of the grade “wrong” that was found is a failure, the others are told in the case's output.
public struct MeasureCases {
  private let result: CommandResult

  /// The cases of `result`.
  public init(_ result: CommandResult) { self.result = result }

  /// The XML, a line break at the end.
  public var text: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + result.processes.map(suite).joined()
      + "</testsuites>\n"
  }

  private func suite(_ process: ProcessResult) -> String {
    let failures = process.pitfalls.count { $0.grade == .wrong }
    let name = JUnitReport.attribute(process.command)
    let time = JUnitReport.seconds(process.ended - process.began)
    return
      "  <testsuite name=\"\(name)\" tests=\"\(Pitfall.allCases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(process.ignored.count)\" time=\"\(time)\">\n"
      + Pitfall.allCases.map { testCase($0, of: process) }.joined() + "  </testsuite>\n"
  }

  private func testCase(_ pitfall: Pitfall, of process: ProcessResult) -> String {
    let head = "    <testcase classname=\"workbench.pitfalls\" name=\"\(pitfall.rawValue)\" time=\"0.000\""
    if let ignored = process.ignored.first(where: { $0.seen.pitfall == pitfall }) {
      return head + ">\n      <skipped message=\"\(JUnitReport.attribute(ignored.reason))\"/>\n    </testcase>\n"
    }
    guard let seen = process.pitfalls.first(where: { $0.pitfall == pitfall }) else { return head + "/>\n" }
    let sentence = JUnitReport.attribute("\(seen.harm) \(seen.cure)")
    let load = JUnitReport.attribute(process.name(ofLoad: seen.load))
    let body =
      seen.grade == .wrong
      ? "<failure message=\"\(sentence)\" type=\"wrong\">\(seen.count) times, first: \(load)</failure>"
      : "<system-out>\(seen.grade.rawValue), \(seen.count) times: \(sentence) First: \(load)</system-out>"
    return head + ">\n      \(body)\n    </testcase>\n"
  }
}
