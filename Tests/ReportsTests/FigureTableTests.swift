// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Reports
import Testing

@Suite struct FigureTableTests {
  private func figures(growth: Int = 2 << 20) -> RunRecord.LessonFigures? {
    var record = RunRecord()
    let example = ExampleResult(
      id: "connection/a", side: .connection, outcome: Outcome(kind: .timedOut),
      time: TimeUse(wall: 1.5, cpu: 0.02), memory: MemoryUse(growth: growth), threads: ThreadCounts(peak: 5),
      traffic: Traffic(requests: 1))
    record.take(
      RunReport(
        machine: Machine(system: "Linux", kernel: "6", architecture: "x86_64", processors: 2, memory: 1),
        started: "2026-01-01T00:00:00Z", bodyBytes: 64 << 20,
        lessons: [LessonResult(id: "lesson-05", title: "", examples: [example], claims: [])]))
    return record.lessons["lesson-05"]
  }

  @Test func `figures go before the last section, and later ones into their place`() throws {
    let text = "# Title\n\nWhy.\n\n## Where it comes from\n\n- N1\n"
    let once = FigureTable(try #require(figures()), in: .english).filledIn(text)
    #expect(
      once.replacing("\u{A0}", with: " ") == """
        # Title

        Why.

        <!-- figures: filled in by Scripts/figures -->
        ## What was measured

        On 2026-01-01, Linux, 2 processors, S = 64.0 MiB.

        | example | end | time | processor | growth | threads | callbacks | requests |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        | connection/a | ran into the time limit | 1.50 s | 20 ms | 2.0 MiB | 5 | 0 | 1 |
        <!-- end of figures -->

        ## Where it comes from

        - N1

        """)
    let twice = FigureTable(try #require(figures(growth: 3 << 20)), in: .english).filledIn(once)
    #expect(twice == once.replacing("2.0\u{A0}MiB", with: "3.0\u{A0}MiB"))
  }

  @Test func `a table stands in columns, figures at the right, and in blocks where it is too wide`() {
    let markdown = "| example | growth |\n| --- | --- |\n| connection/a | 2 MiB |\n| b | 12 MiB |\n"
    #expect(
      LessonPage(markdown: markdown).text(style: TextStyle(width: 60, isColored: false)) == """
        example       growth
        connection/a   2 MiB
        b             12 MiB

        """)
    let wide = "| example | what happened |\n| --- | --- |\n| connection/a | nothing came for a whole second |\n"
    #expect(
      LessonPage(markdown: wide).text(style: TextStyle(width: 40, isColored: false)) == """
        connection/a
          what happened  nothing came for a
                         whole second

        """)
  }

  @Test func `numbered rows wrap their texts in columns, and stand in blocks where words do not fit`() {
    let markdown = """
      | lesson | title | minutes | what it shows |
      | --- | --- | --- | --- |
      | 02 | The call that blocks | 10 | what a call that waits does to an interface |
      | 22 | Resuming a download | 20 | how it continues |
      """
    #expect(
      LessonPage(markdown: markdown).text(style: TextStyle(width: 60, isColored: false)) == """
        lesson  title                 minutes  what it shows
            02  The call that blocks       10  what a call that
                                               waits does to an
                                               interface
            22  Resuming a download        20  how it continues

        """)
    #expect(
      LessonPage(markdown: markdown).text(style: TextStyle(width: 40, isColored: false)) == """
        02  The call that blocks
          minutes        10
          what it shows  what a call that waits
                         does to an interface
        22  Resuming a download
          minutes        20
          what it shows  how it continues

        """)
  }

  @Test func `comments are not shown`() {
    #expect(
      LessonPage(markdown: "Text\n<!-- mark -->\nmore\n").text(style: TextStyle(width: 40, isColored: false))
        == "Text\nmore\n")
  }

  @Test(arguments: [(40, 2), (60, 3), (80, 5), (120, 8)])
  func `a table of figures leaves columns out and keeps a line for each example`(width: Int, columns: Int) {
    let markdown = """
      <!-- figures: filled in by Scripts/figures -->
      | example | end | time | processor | growth | threads | callbacks | requests |
      | --- | --- | --- | --- | --- | --- | --- | --- |
      | connection/delegate-main | NSURLErrorTimedOut | 28 ms | 27 ms | 1.6 MiB | 5 | 200 | 1 |
      | session/download-throttled | finished | 2.16 s | 56 ms | 1004 KiB | 7 | 130 | 1 |
      <!-- end of figures -->
      """
    let text = LessonPage(markdown: markdown).text(style: TextStyle(width: width, isColored: false))
    let lines = text.split(separator: "\n").map(String.init)
    let wide = lines.filter { $0.count > width }
    #expect(wide.isEmpty, "\(text)")
    #expect(lines[0].split(separator: " ").count == columns, "\(text)")
    #expect(lines[1].hasPrefix("connection/") && lines[2].hasPrefix("session/"), "\(text)")
    #expect(
      (lines.count > 3) == (columns < 8) && (lines.count < 4 || lines[3].hasPrefix("A wider terminal also shows: ")))
  }
}
