// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

/// The curves of bytes and the stages of a transfer, in their lane.
@Suite struct ByteDrawingTests {
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

  @Test func `the sums rise over the stretches in which bytes come, and are level where none do`() throws {
    var example = Self.example()
    var sent = ByteFlow()
    for (count, instant) in [(4000, 0.0011), (4000, 0.0021)] { sent.add(count, at: instant) }
    example.sent = sent
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let curve = try #require(ByteDrawing(data, axis: axis, say: StringCatalogue(.english)))
    let svg = curve.svg(top: 0, name: 0).svg
    #expect(svg.contains("class=\"sent\" d=\"M0 32H1000L2000 16L3000 0H10000\""))
    #expect(svg.contains("class=\"given\" d=\"M0 32H2000L3000 28L4000 16H5000L6000 10H10000V32H0z\""))
    #expect(svg.contains("the server sent 8\u{A0}KiB · callbacks gave 5\u{A0}KiB"))
  }

  @Test func `a terminal shows both sums where a touch came between`() throws {
    var example = Self.example()
    example.time.wall = 1
    example.memory.peak = 1
    (example.flow, example.sent) = (ByteFlow(), ByteFlow())
    for step in 0..<10 {
      example.sent?.add(100, at: 0.05 * Double(step))
      example.flow?.add(100, at: step < 2 ? 0.05 * Double(step) : 0.9)
    }
    let style = try Golden.style(80)
    func lines(_ example: ExampleResult) -> [String] {
      TimelineRows(example, height: 1, time: 0, room: 40, style: style).lines.filter { $0.hasPrefix("bytes") }
    }
    #expect(lines(example) == [])
    example.happenings.stop = Circumstances.Stretch(began: 0.1, ended: 0.8)
    let (sent, given) = (lines(example).first ?? "", lines(example).last ?? "")
    try #require(sent.hasPrefix("bytes sent ") && given.hasPrefix("bytes given ") && sent.count == 13 + 27)
    // Half-way the server has sent all, and the program has a fifth of it.
    #expect(Array(sent)[13 + 15] == "█" && Array(given)[13 + 15] == "▂" && given.last == "█")
  }

  @Test func `two examples on one time scale end at their own time`() throws {
    var example = Self.example()
    example.time.wall = 0.5
    example.memory.peak = 1
    example.ticks = [CallbackTick(instant: 0.5, callback: 0, thread: 1, count: 1)]
    let place = PlaceCount(thread: PlaceCount.ThreadID(id: 1, name: "", main: true), count: 1)
    example.callbacks = [CallbackCount(name: "a", detail: "", count: 1, first: 0.5, last: 0.5, places: [place])]
    let style = try Golden.style(80)
    let rows = [0, 1.0].map { TimelineRows(example, height: 1, time: $0, room: 53, style: style).lines }
    #expect(rows[0].last?.hasSuffix("0.50\u{A0}s") == true && rows[1].last?.hasSuffix("1.00\u{A0}s") == true)
    let columns = rows.map { lines in lines.first.flatMap { Array($0).firstIndex(of: "│") } ?? 0 }
    #expect(columns[0] == 13 + 39 && columns[1] == 13 + 20)
  }

  @Test func `one burst does not flatten what comes slowly`() throws {
    var example = Self.example()
    example.flow = ByteFlow()
    for step in 0..<10 { example.flow?.add(step == 5 ? 500_000 : 50_000, at: 0.001 * Double(step)) }
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    let svg = try #require(ByteDrawing(data, axis: axis, say: StringCatalogue(.english))).svg(top: 0, name: 0).svg
    // Each stretch has a slope of its own.
    #expect(svg.count { $0 == "L" } == 10)
  }

  @Test func `examples without callbacks that gave bytes have no curve`() {
    var example = Self.example()
    (example.sent, example.flow) = (example.flow, nil)
    let axis = TimeAxis([example])
    let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
    #expect(ByteDrawing(data, axis: axis, say: StringCatalogue(.english)) == nil)
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
        (report.lessons[0].examples[index].flow, report.lessons[0].examples[index].sent) = (flow, flow)
        // The fields of the requests are not what is weighed here.
        for request in report.lessons[0].examples[index].requests.indices {
          report.lessons[0].examples[index].requests[request].fields = [:]
        }
      }
      let page = try HTMLReport(report, Golden.setting(.english)).text()
      #expect(page.contains("class=\"sent\""))
      #expect(page.utf8.count <= before * 6 / 5, "\(run): \(page.utf8.count)")
    }
  }
}
