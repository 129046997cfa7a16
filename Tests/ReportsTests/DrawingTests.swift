// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// Drawings hold what the model holds: figures are taken out of a page's own data and looked up in the report.
@Suite struct DrawingTests {
  /// The data of all drawings of a page, as the page carries it.
  private static func drawn(_ run: String) throws -> [[String: Any]] {
    let page = try HTMLReport(Golden.report(run), Golden.setting(.english)).text()
    return try page.matches(of: /<script type="application\/json">(.*)<\/script>/).map { match in
      try #require(try JSONSerialization.jsonObject(with: Data(match.output.1.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: Golden.runs) func `ten figures of each drawing are found in the model`(_ run: String) throws {
    let lesson = try Golden.report(run).lessons[0]
    let drawn = try Self.drawn(run)
    #expect(drawn.count == lesson.examples.count)
    for (data, example) in zip(drawn, lesson.examples) {
      #expect(data["id"] as? String == example.id)
      #expect(data["baseline"] as? Int == example.memory.baseline)
      #expect(data["peak"] as? Int == example.memory.peak)
      let ticks = try #require(data["ticks"] as? [[Double]])
      #expect(ticks.reduce(0) { $0 + Int($1[3]) } == example.ticks.reduce(0) { $0 + $1.count })
      for tick in ticks.prefix(3) + ticks.suffix(3) {
        #expect(example.ticks.contains { abs($0.instant - tick[0]) < 1e-6 && $0.callback == Int(tick[1]) })
      }
      let curve = try #require(data["curve"] as? [[Double]])
      for point in curve.prefix(2) {
        #expect(example.memory.curve.contains { $0.instant == point[0] && $0.bytes == Int(point[1]) })
      }
      let requests = try #require(data["requests"] as? [[Any]])
      #expect(requests.count == example.requests.count)
      let touch = data["touch"] as? [Double]
      #expect((touch?[0]).map { abs($0 - (example.happenings.touch?.stretch.began ?? -1)) < 1e-6 } ?? true)
      #expect((touch == nil) == (example.happenings.touch == nil))
    }
  }

  @Test(arguments: Golden.runs) func `the tallest point of a curve is drawn, and no point lies above it`(
    _ run: String
  ) throws {
    let lesson = try Golden.report(run).lessons[0]
    for (data, example) in zip(try Self.drawn(run), lesson.examples) where !example.memory.curve.isEmpty {
      let curve = try #require(data["curve"] as? [[Double]])
      let tallest = try #require(example.memory.curve.map(\.bytes).max())
      #expect(curve.map { Int($0[1]) }.max() == tallest)
      // The kernel's high-water mark and its samples count pages at different moments.
      #expect(abs(tallest - example.memory.peak) < 1 << 20)
    }
  }

  @Test func `a curve of a hundred thousand points keeps its peak`() throws {
    var example = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    example.time.wall = 10
    example.memory.curve = (0..<100_000).map { CurvePoint(instant: Double($0) / 10_000, bytes: 1000 + $0 % 7) }
    example.memory.curve[77_777].bytes = 5000
    let axis = TimeAxis([example])
    let thinned = example.memory.curve.thinned(to: axis)
    #expect(thinned.count <= TimeAxis.places)
    #expect(thinned.contains { $0.bytes == 5000 && $0.instant == 7.7777 })
  }

  @Test func `the drawn height of a point is its share of the scale`() throws {
    var example = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    example.time.wall = 1
    example.memory = MemoryUse(
      baseline: 10 << 20, peak: 74 << 20, growth: 64 << 20,
      curve: [CurvePoint(instant: 0, bytes: 10 << 20), CurvePoint(instant: 0.5, bytes: 74 << 20)])
    let axis = TimeAxis([example])
    let say = StringCatalogue(.english)
    let data = TimelineData(example, axis: axis, say: say)
    let scale = MemoryDrawing.Scale([example], bodyBytes: 64 << 20)
    let svg = MemoryDrawing(data, scale: scale, axis: axis, say: say).svg(top: 0).svg
    #expect(svg.contains("class=\"curve\" d=\"M0 84.0L5000 0.0\""))
  }

  @Test func `examples of a figure have one axis, and a late peak lies on it`() {
    var first = ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))
    first.time.wall = 1
    var second = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    second.time.wall = 2
    second.memory.curve = [CurvePoint(instant: 0, bytes: 1), CurvePoint(instant: 2.5, bytes: 9)]
    let axis = TimeAxis([first, second])
    #expect(axis.duration == 2.5)
    #expect(axis.percent(1.25) == "50.00%")
    #expect(axis.marks == [0, 0.5, 1, 1.5, 2])
  }

  @Test func `a callback's place at a moment is the one it had then, or none where the run does not tell`() throws {
    let place = { (count: Int, thread: Int, mode: String?) in
      PlaceCount(
        thread: .init(id: thread, name: "", main: thread == 1), queue: nil, runLoopMode: mode, count: count)
    }
    var example = ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))
    var callback = CallbackCount(
      name: "connection(_:didReceive:)", detail: "data", count: 8, first: 0, last: 1, places: [])
    callback.places = [
      place(3, 1, "kCFRunLoopDefaultMode"), place(2, 1, "UITrackingRunLoopMode"), place(1, 2, nil),
      place(1, 3, "a"), place(1, 3, "b"),
    ]
    example.callbacks = [callback]
    let data = TimelineData(example, axis: TimeAxis([example]), say: StringCatalogue(.english))
    #expect(data.kinds[0].place == ["1": "main thread, mode default", "2": "thread\u{A0}2"])
    #expect(data.kinds[0].touched == ["1": "main thread, mode tracking"])
  }

  @Test func `callbacks that cannot be told apart are one tick with their sum`() {
    var example = ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))
    example.time.wall = 1
    let ticks = (0..<5000).map { CallbackTick(instant: Double($0) / 5000, callback: $0 % 2, thread: 1) }
    let thinned = ticks.thinned(to: TimeAxis([example]))
    #expect(thinned.count <= 2 * (TimeAxis.places + 1))
    #expect(thinned.reduce(0) { $0 + $1.count } == 5000)
  }

  @Test func `a silence of main is hatched, a touch is a band, a stop is another`() throws {
    var example = ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))
    example.time.wall = 10
    example.mainThread.gaps = [.init(began: 1, ended: 3)]
    example.happenings.touch = Touch(stretch: .init(began: 4, ended: 5), countedFrom: 4.1, callbacks: 0)
    example.happenings.stop = .init(began: 6, ended: 8)
    let axis = TimeAxis([example])
    let say = StringCatalogue(.english)
    let data = TimelineData(example, axis: axis, say: say)
    let memory = MemoryDrawing(data, scale: .init([example], bodyBytes: 1), axis: axis, say: say)
    let svg = TimelineDrawing(data, axis: axis, memory: memory, say: say).svg(label: "a")
    #expect(svg.contains("<rect class=\"gap\" x=\"10.00%\" y=\"20\" width=\"20.0%\""))
    #expect(svg.contains("<g class=\"touch\"><title>touch · 4.00\u{A0}s – 5.00\u{A0}s</title><rect x=\"40.00%\""))
    #expect(svg.contains("width=\"20.0%\"") && svg.contains("<g class=\"stop\">"))
  }
}
