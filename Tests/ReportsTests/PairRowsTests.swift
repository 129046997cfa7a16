// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// The lines for pairs that a wide report ends with.
struct PairRowsTests {
  private static func lines(_ lesson: LessonResult, _ width: Int, isColored: Bool = false) throws -> [String] {
    PairRows(lesson, style: try Golden.style(width, isColored: isColored)).lines
  }

  @Test(arguments: Golden.runs) func `from 120 columns on a report ends with a line for each pair`(_ run: String) throws
  {
    let report = try Golden.report(run)
    let lesson = report.lessons[0]
    #expect(try Self.lines(lesson, 119).isEmpty)
    for width in [120, 160] {
      let lines = try Self.lines(lesson, width)
      let pairs = ExamplePairing(lesson).rows.filter { $0.count == 2 }
      #expect(!pairs.isEmpty)
      let text = TerminalReport(report, style: try Golden.style(width)).text
      #expect(text.contains(lines.joined(separator: "\n") + "\n\n"))
      for pair in pairs {
        let line = try #require(lines.first { $0.hasPrefix(pair[0].name.prefix(15)) })
        let halves = line.components(separatedBy: " │ ")
        for (half, example) in zip(halves, pair) {
          #expect(half.hasPrefix(example.name.prefix(15)))
          let subject = try #require(lesson.subject)
          for cell in [subject.metric, .peak] {
            #expect(half.contains(cell.text(example, try Golden.style(width))))
          }
        }
      }
    }
  }

  @Test func `the figure that one of a pair needs twice as much of stands out`() throws {
    var lesson = try Golden.report("lesson-09").lessons[0]
    let pair = try #require(ExamplePairing(lesson).rows.first { $0.count == 2 })
    let index = try #require(lesson.examples.firstIndex { $0.id == pair[1].id })
    lesson.examples[index].memory.growth = pair[0].memory.growth + (64 << 20)
    let bold = "\u{1B}[1m+" + Figures.size(lesson.examples[index].memory.growth) + "\u{1B}[0m"
    let line = try #require(Self.lines(lesson, 120, isColored: true).first { $0.contains(pair[0].name) })
    #expect(line.contains(bold))
  }

  @Test func `what one of a pair does beyond the common job stands below its line`() throws {
    var lesson = try Golden.report("lesson-09").lessons[0]
    let pair = try #require(ExamplePairing(lesson).rows.first { $0.count == 2 })
    let index = try #require(lesson.pairs.firstIndex { $0.connection == pair[0].id && $0.session == pair[1].id })
    lesson.pairs[index].difference = "the Session example writes a file, too"
    let lines = try Self.lines(lesson, 120)
    let place = try #require(lines.firstIndex { $0.hasPrefix(pair[0].name) })
    #expect(lines[place + 1] == "    the Session example writes a file, too")
  }

  @Test func `a lesson without pairs, or whose pairs did not run, ends as before`() throws {
    var lesson = try Golden.report("lesson-09").lessons[0]
    lesson.pairs = []
    #expect(try Self.lines(lesson, 160).isEmpty)
  }
}
