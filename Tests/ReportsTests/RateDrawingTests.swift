// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

/// The curve of bytes a second and the stages of a transfer, in their lane.
@Suite struct RateDrawingTests {
  private static func example() -> ExampleResult {
    var example = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    example.time.wall = 0.01
    var flow = ByteFlow()
    for (count, instant) in [(1000, 0.0022), (3000, 0.0031), (1500, 0.0055)] { flow.add(count, at: instant) }
    example.flow = flow
    var load = LoadResult(
      number: 1, kind: .finished, status: 200, bytes: 5500, isWhole: true, began: 0.001, ended: 0.008)
    (load.connected, load.answered) = (0.0015, 0.002)
    example.loads = [load]
    return example
  }

  @Test func `the curve's steps are the flow's stretches, on the scale of the figure`() throws {
    let example = Self.example()
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let curve = try #require(RateDrawing(data, most: 6_000_000, axis: axis, say: StringCatalogue(.english)))
    let svg = curve.svg(top: 0, name: 0).svg
    #expect(svg.contains("d=\"M0 24H2000V20H3000V12H4000V24H5000V18H6000V24\""))
    #expect(svg.contains("at most 2.9\u{A0}MiB a second"))
    #expect(RateDrawing(data, most: 0, axis: axis, say: StringCatalogue(.english)) == nil)
  }

  @Test func `a transfer shows when it was connected and when its answer began`() throws {
    let example = Self.example()
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let svg = SpanDrawing(data.loads, of: data, axis: axis, say: StringCatalogue(.english)).svg(
      "load", named: "", top: 0)
    #expect(svg.contains("<path class=\"connecting\" d=\"M1000 0h500v10h-500z\"/>"))
    #expect(svg.contains("<path class=\"waiting\" d=\"M1500 0h500v10h-500z\"/>"))
    #expect(try Markup.json(data).contains("\"loads\":[[0.001,0.008,0,1,0.0015,0.002]]"))
  }

  @Test func `thirty transfers at once have a row each, in a brief drawing the last of six takes the rest`() {
    var example = Self.example()
    example.loads = (1...30).map { LoadResult(number: $0, kind: .finished, began: 0.001, ended: 0.008) }
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let say = StringCatalogue(.english)
    #expect(SpanDrawing(data.loads, of: data, axis: axis, say: say).extraHeight == 29 * 5)
    #expect(SpanDrawing(data.loads, of: data, axis: axis, say: say, isBrief: true).extraHeight == 5 * 7)
  }

  @Test func `a page with a curve in each drawing is at most a fifth above what it was`() throws {
    for (run, before) in ["lesson-05": 219_408, "lesson-09": 208_735, "lesson-22": 199_329] {
      var report = try Golden.report(run)
      for index in report.lessons[0].examples.indices {
        var flow = ByteFlow()
        let end = report.lessons[0].examples[index].time.wall
        for step in 0..<400 { flow.add(1 + step * 7919 % 4096, at: end * Double(step) / 400) }
        report.lessons[0].examples[index].flow = flow
        // The fields of the requests are not what is weighed here.
        for request in report.lessons[0].examples[index].requests.indices {
          report.lessons[0].examples[index].requests[request].fields = [:]
        }
      }
      let page = try HTMLReport(report, Golden.setting(.english)).text()
      #expect(page.contains("class=\"rate\""))
      #expect(page.utf8.count <= before * 6 / 5, "\(run): \(page.utf8.count)")
    }
  }
}
