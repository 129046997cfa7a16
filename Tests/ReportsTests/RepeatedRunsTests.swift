// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

/// The report of a run that repeats its examples.
@Suite struct RepeatedRunsTests {
  /// A report in which one example ran four times, once into the time limit.
  private func report() throws -> RunReport {
    var report = try Golden.report("lesson-22")
    let example = report.lessons[0].examples[0]
    report.lessons[0].examples = zip([0.111, 0.999, 0.222, 30], [1, 4, 2, 9]).map { wall, growth in
      var repeated = example
      repeated.time.wall = wall
      repeated.memory.growth = growth << 20
      if wall == 30 { repeated.outcome.kind = .timedOut }
      return repeated
    }
    return report
  }

  private func text(_ width: Int, isVerbose: Bool = false) throws -> String {
    TerminalReport(try report(), style: try Golden.style(width), isVerbose: isVerbose).text
  }

  @Test func `single runs have a word on their times and no medians`() throws {
    let single = TerminalReport(try Golden.report("lesson-22"), style: try Golden.style(100)).text
    #expect(single.contains("One run of each") && !single.contains("Medians"))
  }

  @Test func `an example that was repeated has one row, with the median, the least and the most of the commonest end`()
    throws
  {
    let text = try text(100)
    let parts = text.components(separatedBy: "\nMedians of 4 runs\n")
    #expect(parts.count == 2 && !text.contains("One run of each"))
    let lines = try #require(parts.last).split(separator: "\n").map { $0.replacing("\u{A0}", with: " ") }
    let id = try report().lessons[0].examples[0].id
    #expect(lines[0].contains(/time +least–most +peak +least–most/), "\(lines[0])")
    #expect(lines[1].hasPrefix(id + " ") && lines[1].contains(" 3/4 "), "\(lines[1])")
    #expect(lines[1].contains(/0\.22 s +0\.11–1\.00 s +\+2\.0 MiB +1\.0–4\.0 MiB/), "\(lines[1])")
    #expect(lines.count { $0.hasPrefix(id) } == 2, "one row and one block")
  }

  @Test func `--verbose has a row and a block for each run, and the medians behind the rows`() throws {
    let text = try text(100, isVerbose: true)
    let id = try report().lessons[0].examples[0].id
    let parts = text.components(separatedBy: "\nMedians of 4 runs\n")
    #expect(parts.count == 2)
    #expect(parts[0].split(separator: "\n").count { $0.hasPrefix(id) } == 4)
    #expect(parts[1].split(separator: "\n").count { $0.hasPrefix(id) } == 5)
  }

  @Test(arguments: [60, 80, 100, 120, 160]) func `no line of it is wider than the terminal`(_ width: Int) throws {
    for line in try text(width).split(separator: "\n") { #expect(Golden.columns(line) <= width, "\(line)") }
    #expect(try text(width).contains("least–most"))
  }

  @Test func `a claim makes each point once, and again where it does not hold`() throws {
    var report = try report()
    let points = ["1 piece", "2 pieces", "0 pieces", "3 pieces"].map { measured in
      Finding(what: "a", measured: Phrase(verbatim: measured), bound: "1 at least", holds: measured != "0 pieces")
    }
    report.lessons[0].claims[0].findings = points
    let text = TerminalReport(report, style: try Golden.style(100)).text
    #expect(text.contains("a 1 piece ") && text.contains("a 0 pieces "))
    #expect(!text.contains("a 2 pieces") && !text.contains("a 3 pieces"))
  }

  @Test func `the pieces printed one by one are the whole`() throws {
    let report = try report()
    let writer = TerminalReport(report, style: try Golden.style(80))
    let lesson = report.lessons[0]
    let reported = ReportedLesson(lesson)
    let runs = try #require(RepeatedRuns(lesson.examples))
    let text = writer.head(reported, repetitions: 4) + writer.row(runs, after: nil, of: reported)
    #expect(text + writer.rest(of: lesson) == writer.text)
  }
}
