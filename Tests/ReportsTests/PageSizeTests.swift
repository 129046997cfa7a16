// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Reports

/// What a page may weigh, and that nothing which a reader sees is lost for it.
@Suite struct PageSizeTests {
  /// A run of an example with so many transfers, each with its request, one after the other; the last has no end.
  private static func example(_ name: String, transfers count: Int) -> ExampleResult {
    var example = ExampleResult(id: "session/\(name)", side: .session, outcome: Outcome(kind: .finished))
    example.time.wall = 1
    let step = 1.0 / Double(count)
    example.loads = (0..<count).map { number in
      let began = Double(number) * step
      let isLast = number == count - 1
      return LoadResult(
        number: number + 1, kind: isLast ? .noEnd : .finished, status: 200, bytes: 256, isWhole: true, began: began,
        ended: isLast ? nil : began + 1.5 * step)
    }
    return example
  }

  @Test(arguments: Language.allCases) func `a lesson with six times two hundred transfers stays below 300 KB`(
    _ language: Language
  ) throws {
    var report = try Golden.report("lesson-09")
    let request = try #require(report.lessons[0].examples.flatMap(\.requests).first)
    for index in report.lessons[0].examples.indices.prefix(6) {
      let many = Self.example("many", transfers: 200)
      report.lessons[0].examples[index].loads = many.loads
      report.lessons[0].examples[index].requests = many.loads.map { load in
        var seen = request
        (seen.target, seen.began, seen.ended) = ("/small?size=256&seed=5", load.began, load.ended)
        return seen
      }
    }
    // More than lesson 24, the longest, has: six examples with 100 or 200 transfers, and five others.
    report.lessons[0].examples.removeLast(report.lessons[0].examples.count - 11)
    let page = try HTMLReport(report, Golden.setting(language)).text()
    #expect(page.utf8.count < 300_000, "\(page.utf8.count)")
  }

  @Test(arguments: Golden.runs, Language.allCases) func `a page is at most a fifth above what it was without a strip`(
    _ run: String, _ language: Language
  ) throws {
    let before = ["lesson-05": 219_408, "lesson-09": 208_735, "lesson-22": 199_329]
    let page = try HTMLReport(Golden.report(run), Golden.setting(language)).text()
    #expect(page.utf8.count <= (before[run] ?? 0) * 6 / 5, "\(page.utf8.count)")
  }

  @Test func `a page of all lessons that are as long as the longest but one stays below 6 MB`() throws {
    let lessons = try Golden.runs.flatMap { try Golden.report($0).lessons }
    var report = try Golden.report("lesson-05")
    report.lessons = Course.catalog.lessons.enumerated().map { index, known in
      var lesson = lessons[index % lessons.count]
      (lesson.id, lesson.title) = (known.id, known.title)
      return lesson
    }
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    #expect(page.utf8.count < 6_000_000, "\(page.utf8.count)")
  }

  @Test func `many transfers are one shape with a bar for each, and the page names each of them`() throws {
    let example = Self.example("many", transfers: 200)
    let axis = TimeAxis([example])
    let say = StringCatalogue(.english)
    let data = TimelineData(example, axis: axis, say: say)
    let lane = SpanDrawing(data.loads, of: data, axis: axis, say: say)
    let svg = lane.svg("load", named: "library: transfers", top: 20)
    #expect(svg.contains("<title>library: transfers · 200× · 0.0\u{A0}ms – no end</title>"))
    let bars = svg.matches(of: /M([0-9]+) ([0-9]+)h([0-9]+)v5h-([0-9]+)z/)
    #expect(bars.count == 200)
    for (bar, load) in zip(bars, example.loads) {
      let (x, width) = (try #require(Int(bar.output.1)), try #require(Int(bar.output.3)))
      #expect(x == axis.units(load.began))
      #expect(x + width == axis.units(load.ended ?? 1))
    }
    // Those that overlap lie in two rows; the one without an end is told from the others.
    #expect(Set(bars.map(\.output.2)) == ["0", "7"])
    #expect(svg.contains("<path class=\"load open\" d=\"M9950 7h50v5h-50z\"/>"))
    let json = try Markup.json(data)
    #expect(json.contains("[0.985,0.9925,0,198],[0.99,0.9975,0,199],[0.995,null,1,200]]"))
    #expect(json.contains("\"labels\":[\"finished · HTTP 200 · 256\u{A0}B · whole\",\"came to no end · HTTP 200"))
  }

  @Test func `few transfers have a title each`() throws {
    let example = Self.example("few", transfers: SpanDrawing.mostTitles)
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let svg = SpanDrawing(data.loads, of: data, axis: axis, say: StringCatalogue(.english)).svg(
      "load", named: "", top: 0)
    #expect(
      svg.matches(of: #/<title>[0-9]+ finished · HTTP 200 · 256.B · whole · /#).count == SpanDrawing.mostTitles - 1)
  }

  @Test func `a curve without its flat stretches' middles is the same line`() throws {
    let heights = [1, 1, 1, 2, 2, 3, 3, 3, 3, 2, 2, 2]
    let curve = heights.enumerated().map { CurvePoint(instant: Double($0), bytes: $1) }
    let thinned = curve.withoutMiddles { $0.bytes }
    #expect(thinned.map(\.instant) == [0, 2, 3, 4, 5, 8, 9, 11])
    for point in curve {
      let after = try #require(thinned.firstIndex { $0.instant >= point.instant })
      let (right, left) = (thinned[after], thinned[max(0, after - 1)])
      let share = right.instant == left.instant ? 1 : (point.instant - left.instant) / (right.instant - left.instant)
      #expect(Double(left.bytes) + share * Double(right.bytes - left.bytes) == Double(point.bytes))
    }
    #expect([CurvePoint]().withoutMiddles { $0.bytes }.isEmpty)
  }
}
