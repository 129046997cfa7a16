// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

/// The report of a run as stored pages have it, in every width, language and kind of terminal.
@Suite struct TerminalReportTests {
  private func text(_ run: String, _ style: TextStyle, isVerbose: Bool = false) throws -> String {
    TerminalReport(try Golden.report(run), style: style, isVerbose: isVerbose).text
  }

  @Test(arguments: Golden.runs, Language.allCases)
  func `a report looks as stored`(_ run: String, _ language: Language) throws {
    for width in [80, 120, 160] {
      try Golden.compare(
        text(run, Golden.style(width, language)), with: "\(run)-\(language.rawValue)-\(width).txt")
    }
  }

  @Test func `a report in colour, in ASCII and with everything looks as stored`() throws {
    try Golden.compare(text("lesson-22", Golden.style(80, isColored: true)), with: "lesson-22-colour.txt")
    try Golden.compare(text("lesson-09", Golden.style(80, isASCII: true)), with: "lesson-09-ascii.txt")
    try Golden.compare(text("lesson-05", Golden.style(80), isVerbose: true), with: "lesson-05-verbose.txt")
  }

  @Test(arguments: Golden.runs, Language.allCases)
  func `no line is wider than the terminal`(_ run: String, _ language: Language) throws {
    for width in [60, 80, 100, 120, 160, 200] {
      for isVerbose in [false, true] {
        let text = try text(run, Golden.style(width, language), isVerbose: isVerbose)
        for line in text.split(separator: "\n") { #expect(Golden.columns(line) <= width, "\(width): \(line)") }
      }
    }
  }

  @Test(arguments: Golden.runs) func `the ASCII form has nothing but ASCII where the program printed nothing else`(
    _ run: String
  ) throws {
    let quotes = ClaimTable.rows.compactMap(\.quote).joined()
    let text = try text(run, Golden.style(80, isASCII: true))
    let others = text.filter { !$0.isASCII && !quotes.contains($0) }
    #expect(others == "")
  }

  @Test(arguments: Golden.runs) func `colour changes nothing but the colour`(_ run: String) throws {
    let plain = try text(run, Golden.style(160))
    let colored = try text(run, Golden.style(160, isColored: true))
    #expect(colored.contains("\u{1B}["))
    let stripped = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/[ ]+\n/, with: "\n")
    #expect(stripped == plain)
  }

  @Test(arguments: Golden.runs) func `every sentence of a stored report has a translation`(_ run: String) throws {
    let catalogue = try Golden.style(80, .simplifiedChinese).catalogue
    let lessons = try Golden.report(run).lessons
    let phrases = lessons.flatMap { $0.claims + $0.checks }
      .flatMap { claim in claim.findings.flatMap { [$0.what, $0.measured, $0.bound] } + [claim.explanation] }
    #expect(Set(phrases.flatMap(catalogue.missing)) == [])
  }

  @Test func `the pieces printed one by one are the whole`() throws {
    let report = try Golden.report("lesson-22")
    let style = try Golden.style(80)
    let writer = TerminalReport(report, style: style)
    let lesson = report.lessons[0]
    let reported = ReportedLesson(lesson)
    var text = writer.head(reported)
    for (index, example) in lesson.examples.enumerated() {
      text += writer.row(example, after: index > 0 ? lesson.examples[index - 1] : nil, of: reported)
    }
    #expect(text + writer.rest(of: lesson) == writer.text)
  }

  @Test func `a hang, a crash and a surprise stand out in words`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].examples = [
      ExampleResult(
        id: "connection/a", side: .connection,
        outcome: Outcome(kind: .timedOut, why: "a callback was scheduled on thread 5, whose run loop never ran")),
      ExampleResult(id: "session/b", side: .session, outcome: Outcome(kind: .crashed, why: "SIGILL: on purpose")),
    ]
    report.lessons[0].claims[0].verdict = .unsettled
    let text = TerminalReport(report, style: try Golden.style(100)).text
    #expect(text.contains("ran into the time limit · a callback was scheduled on thread 5"))
    #expect(text.contains("crashed · SIGILL: on purpose"))
    #expect(text.contains("expected: confirmed"))
    #expect(text.contains("Not as expected: \(report.lessons[0].claims[0].id)."))
  }

  @Test func `a claim says where the toolchain shows the same, and in one sentence where it differs`() throws {
    var report = try Golden.report("lesson-05")
    let point = Finding(what: "session/a", measured: "7 bytes", bound: "100 bytes", holds: false)
    report.lessons[0].claims[0].evidence = .toolchain
    report.lessons[0].claims[0].toolchain = ToolchainVerdict(report.lessons[0].claims[0].verdict)
    report.lessons[0].claims[1].toolchain = ToolchainVerdict(.refuted, differing: [point])
    let text = TerminalReport(report, style: try Golden.style(100)).text
    #expect(text.contains(" · the toolchain's, too"))
    #expect(text.contains("the same points hold for the toolchain's own URLSession"))
    #expect(
      text.components(separatedBy: "The toolchain’s URLSession differs: session/a: 7 bytes [100 bytes]").count == 2)
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    #expect(page.contains("The toolchain’s URLSession differs: session/a: 7 bytes [100 bytes]"))
    #expect(try JSONReport.run(from: Data(JSONReport.text(report).utf8), named: "") == report)
  }

  @Test func `loads that ended alike share a line`() throws {
    var report = try Golden.report("lesson-22")
    let kinds: [Outcome.Kind] = [.finished, .finished, .finished, .cancelled, .finished]
    var example = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    example.loads = zip(1..., kinds).map { LoadResult(number: $0, kind: $1, bytes: 256, isWhole: $1 == .finished) }
    report.lessons[0].examples = [example]
    let text = TerminalReport(report, style: try Golden.style(100), isVerbose: true).text
    #expect(text.contains(/loads +1–3 each finished · 256.B · whole\n +4 was cancelled · 256.B\n +5 finished/))
  }

  @Test func `a stack trace is counted, and shown where all is asked for`() throws {
    var report = try Golden.report("lesson-05")
    let frames = (0..<24).map { ProgramLine(text: "\($0)    libswiftCore.so   0x00007f2c17b5f130 report + 33") }
    var crash = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .crashed))
    crash.printed = [ProgramLine(text: "Fatal error: no"), ProgramLine(text: "Current stack trace:")] + frames
    report.lessons[0].examples = [crash]
    report.lessons[0].shows = [.printed]
    let text = TerminalReport(report, style: try Golden.style(100)).text
    #expect(text.contains("Fatal error: no") && text.contains("… 25 lines of a stack trace"))
    #expect(!text.contains("libswiftCore"))
    #expect(TerminalReport(report, style: try Golden.style(100), isVerbose: true).text.contains("23    libswiftCore"))
  }

  @Test func `a lesson without claims says nothing of claims`() throws {
    var report = try Golden.report("lesson-22")
    report.lessons[0].claims = []
    #expect(!TerminalReport(report, style: try Golden.style(80)).text.lowercased().contains("claim"))
  }
}
