// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

/// Renders a stored result and compares it with stored pages. `RECORD_SNAPSHOTS=1 swift test` writes the pages anew.
@Suite struct TerminalReportTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  private func report() throws -> RunReport {
    let file = Self.folder.appendingPathComponent("report.json")
    return try JSONDecoder().decode(RunReport.self, from: Data(contentsOf: file))
  }

  private func compare(_ text: String, with name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text == golden, "\(name) differs; RECORD_SNAPSHOTS=1 rewrites it")
  }

  @Test(arguments: [80, 160])
  func `the report of lesson 5 looks as stored`(_ width: Int) throws {
    let text = TerminalReport(try report(), style: TextStyle(width: width, isColored: false)).text
    try compare(text, with: "report-\(width).txt")
  }

  @Test(arguments: [40, 60, 80, 100, 120, 160, 200])
  func `no line is wider than the terminal`(_ width: Int) throws {
    let text = TerminalReport(try report(), style: TextStyle(width: width, isColored: false)).text
    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  @Test func `colour changes nothing but the colour`() throws {
    let plain = TerminalReport(try report(), style: TextStyle(width: 160, isColored: false)).text
    let colored = TerminalReport(try report(), style: TextStyle(width: 160, isColored: true)).text
    #expect(colored.contains("\u{1B}["))
    let stripped = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/[ ]+\n/, with: "\n")
    #expect(stripped == plain)
  }

  @Test func `a hang, a crash and a surprise stand out in words`() throws {
    var report = try report()
    report.lessons[0].examples = [
      ExampleResult(
        id: "connection/a", side: .connection,
        outcome: Outcome(kind: .timedOut, why: "a callback was scheduled on thread 5, whose run loop never ran")),
      ExampleResult(id: "session/b", side: .session, outcome: Outcome(kind: .crashed, why: "SIGILL: on purpose")),
    ]
    report.lessons[0].claims[0].verdict = .unsettled
    let text = TerminalReport(report, style: TextStyle(width: 100, isColored: false)).text
    #expect(text.contains("ran into the time limit · a callback was scheduled on thread 5"))
    #expect(text.contains("crashed · SIGILL: on purpose"))
    #expect(text.contains("expected: confirmed"))
    #expect(text.contains("1 not as expected"))
  }
}
