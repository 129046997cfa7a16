// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Reports
import Testing

@Suite struct RunSummaryTests {
  private func lesson(_ id: String, _ claims: [(String, Verdict, Verdict)]) -> LessonResult {
    LessonResult(
      id: id, title: "",
      examples: [ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))],
      claims: claims.map {
        ClaimResult(
          id: $0.0, verdict: $0.1, expected: $0.2,
          findings: [Finding(measured: "4 pieces", bound: "", holds: $0.1 == $0.2)])
      })
  }

  private func text(_ lessons: [LessonResult], surprises: [Phrase] = []) -> String {
    let machine = Machine(system: "", kernel: "", architecture: "", processors: 1, memory: 1)
    let report = RunReport(machine: machine, started: "", bodyBytes: 1, lessons: lessons)
    return RunSummary(report, surprises: surprises).text(style: TextStyle(width: 100, isColored: false))
  }

  @Test func `defects shown are counted apart from what is refuted`() {
    let text = text([
      lesson(
        "lesson-12",
        [("N4-07", .defectShown, .defectShown), ("N4-08", .defectShown, .defectShown), ("N4-06", .refuted, .refuted)])
    ])
    #expect(text.contains("1 refuted, 2 defects shown"))
  }

  @Test func `a claim that two lessons settle counts once`() {
    let text = text([
      lesson("lesson-05", [("N1-15", .confirmed, .confirmed), ("N2-12", .refuted, .refuted)]),
      lesson("lesson-11", [("N1-15", .confirmed, .confirmed)]),
    ])
    let all = ClaimTable.counted(ClaimTable.rows.map(\.id)).count
    #expect(text.contains("2 lessons, 2 examples, 2 of \(all) claims settled: 1 confirmed, 1 refuted.\n"))
    #expect(!text.contains("came out"))
  }

  @Test func `lessons that settle no claim say what ran, and nothing of claims`() {
    #expect(text([lesson("lesson-26", []), lesson("lesson-26", [])]).hasSuffix("\n2 lessons, 2 examples.\n"))
  }

  @Test func `each lesson has a line with what it is about`() {
    var first = lesson("lesson-05", [])
    first.subject = .of("requests", .requests, wrong: "connection/a", right: "session/b")
    let text = text([first, lesson("lesson-06", [])])
    #expect(text.hasPrefix("Summary\nlesson-05  requests: ✗\u{A0}a:\u{A0}0\n\n2 lessons, "))
  }

  @Test func `whatever surprised is named`() {
    let text = text(
      [lesson("lesson-05", [("N1-11", .refuted, .confirmed)])], surprises: ["connection/a crashed: SIGILL"])
    #expect(text.contains("lesson-05 N1-11 came out refuted, expected confirmed: 4 pieces"))
    #expect(text.contains("connection/a crashed: SIGILL"))
  }
}
