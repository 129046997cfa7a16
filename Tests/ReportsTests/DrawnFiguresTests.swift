// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// Figures read off a page's drawings with a ruler: places and heights of what is drawn, turned back into seconds and bytes,
/// are looked up in the report.
@Suite struct DrawnFiguresTests {
  /// A drawing as a page has it, with the data beside it.
  private struct Drawing {
    let svg: String
    let data: [String: Any]

    /// Seconds from one edge to the other.
    var duration: Double { data["duration"] as? Double ?? 0 }
    /// How far apart two instants may lie that are drawn at one place; the data beside the drawing has microseconds.
    var grain: Double { unit + 0.000_001 }
    private var unit: Double { duration / Double(TimeAxis.width) }

    /// Begin and end of each rectangle of a kind, in seconds.
    func stretches(_ rect: String) -> [(began: Double, ended: Double)] {
      numbers("<rect class=\"\(rect)[^\"]*\" x=\"([0-9.]+)%\" y=\"[0-9.]+\" width=\"([0-9.]+)%\"").map(seconds)
    }

    /// The band of a kind.
    func band(_ style: String) -> (began: Double, ended: Double)? {
      numbers("<g class=\"\(style)\"><title>[^<]*</title><rect x=\"([0-9.]+)%\" y=\"0\" width=\"([0-9.]+)%\"")
        .first.map(seconds)
    }

    /// The instants of all ticks.
    var ticks: [Double] {
      texts("<path class=\"tick\" d=\"([^\"]*)\"").flatMap { path in
        path.split(separator: "M").compactMap { Double($0.prefix { $0 != " " }) }
      }.map { $0 * unit }
    }

    /// The highest point of the curve, in pixels below the drawing's upper edge, and its instant.
    var top: (instant: Double, y: Double)? {
      let points = texts("class=\"curve\" d=\"M([^\"]*)\"").flatMap { $0.split(separator: "L") }.map { point in
        point.split(separator: " ").compactMap { Double($0) }
      }
      let edge = numbers("y=\"([0-9.]+)\" width=\"100%\" height=\"84\"").first?.first ?? 0
      return points.min { $0[1] < $1[1] }.map { ($0[0] * unit, edge + $0[1]) }
    }

    /// The height of a level's line, in pixels below the drawing's upper edge.
    func line(_ style: String) -> Double? {
      numbers("<line class=\"\(style)\" x1=\"0\" x2=\"100%\" y1=\"([0-9.]+)\"").first?.first
    }

    private func seconds(_ share: [Double]) -> (began: Double, ended: Double) {
      (share[0] / 100 * duration, (share[0] + share[1]) / 100 * duration)
    }

    private func texts(_ pattern: String) -> [String] { matches(pattern).map { $0[0] } }
    private func numbers(_ pattern: String) -> [[Double]] { matches(pattern).map { $0.compactMap { Double($0) } } }

    private func matches(_ pattern: String) -> [[String]] {
      guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
      let text = svg as NSString
      return expression.matches(in: svg, range: NSRange(location: 0, length: text.length)).map { match in
        (1..<match.numberOfRanges).map { text.substring(with: match.range(at: $0)) }
      }
    }
  }

  private static func drawings(_ run: String) throws -> [Drawing] {
    let page = try HTMLReport(Golden.report(run), Golden.setting(.english)).text()
    return try page.components(separatedBy: "<svg class=\"drawing\"").dropFirst().map { part in
      let data = try #require(part.firstMatch(of: /<script type="application\/json">(.*)<\/script>/)).output.1
      let object = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
      let end = try #require(part.range(of: "<script"))
      return Drawing(svg: String(part[..<end.lowerBound]), data: try #require(object))
    }
  }

  /// True if a drawn stretch is one of the model's: a short one is drawn wide enough to be seen.
  private static func isDrawn(_ drawn: (began: Double, ended: Double), _ began: Double, _ ended: Double?, _ d: Drawing)
    -> Bool
  {
    let began = max(0, min(began, d.duration))
    let shown = max(min(ended ?? d.duration, d.duration), began + 15 * d.grain)
    return abs(drawn.began - began) <= d.grain && abs(drawn.ended - shown) <= 2 * d.grain
  }

  @Test(arguments: Golden.runs) func `what is drawn is where the model has it`(_ run: String) throws {
    let lesson = try Golden.report(run).lessons[0]
    let drawings = try Self.drawings(run)
    #expect(drawings.count == lesson.examples.count)
    var figures = 0
    for (drawing, example) in zip(drawings, lesson.examples) {
      for tick in drawing.ticks {
        #expect(example.ticks.contains { abs($0.instant - tick) <= drawing.grain }, "\(example.id) tick at \(tick)")
      }
      for gap in drawing.stretches("gap") {
        #expect(
          example.mainThread.gaps.contains { Self.isDrawn(gap, $0.began, $0.ended, drawing) }, "\(example.id) \(gap)")
      }
      for request in drawing.stretches("request") {
        #expect(
          example.requests.contains { Self.isDrawn(request, $0.began, $0.ended, drawing) }, "\(example.id) \(request)")
      }
      for load in drawing.stretches("load") {
        #expect(example.loads.contains { Self.isDrawn(load, $0.began, $0.ended, drawing) }, "\(example.id) \(load)")
      }
      let (touch, stop) = (drawing.band("touch"), drawing.band("stop"))
      #expect((touch == nil) == (example.happenings.touch == nil) && (stop == nil) == (example.happenings.stop == nil))
      if let touch, let meant = example.happenings.touch?.stretch {
        #expect(Self.isDrawn(touch, meant.began, meant.ended, drawing))
      }
      if let stop, let meant = example.happenings.stop {
        #expect(Self.isDrawn(stop, meant.began, meant.ended, drawing))
      }
      // What a former process asked for is in the report and not in sight.
      let inSight = example.requests.count { ($0.ended ?? 0) >= 0 }
      #expect(drawing.stretches("request").count == inSight)
      figures += drawing.ticks.count + drawing.stretches("request").count + drawing.stretches("load").count
    }
    #expect(figures >= 10 * drawings.count)
  }

  @Test func `the band of a touch has the touch's edges, to within a pixel of a projector`() throws {
    let example = { (touch: Circumstances.Stretch, countedFrom: Double) in
      var example = ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished))
      example.time.wall = 2.0697
      example.happenings.touch = Touch(stretch: touch, countedFrom: countedFrom, callbacks: 0)
      return example
    }
    for (began, ended) in [(0.5003, 1.5017), (0.0012, 0.7012), (0.1, 0.1305), (1.9, 2.0697)] {
      let example = example(.init(began: began, ended: ended), began + 0.1)
      let axis = TimeAxis([example])
      let data = TimelineData(example, axis: axis, say: StringCatalogue(.english))
      let memory = MemoryDrawing(
        data, scale: .init([example], bodyBytes: 1), axis: axis, say: StringCatalogue(.english))
      let svg = TimelineDrawing(data, axis: axis, memory: memory, say: StringCatalogue(.english)).svg(label: "")
      let band = try #require(Drawing(svg: svg, data: ["duration": data.duration]).band("touch"))
      let pixel = axis.duration / 1024
      #expect(abs(band.began - began) < pixel && abs(band.ended - ended) < pixel, "\(band) for \(began) – \(ended)")
    }
  }

  @Test func `callbacks in the default mode come until the band of the touch, and again after it`() throws {
    let lesson = try Golden.report("lesson-09").lessons[0]
    let starved = lesson.examples.enumerated().filter { $0.element.id == "connection/default-mode" }
    let (index, example) = try #require(starved.first)
    let drawing = try Self.drawings("lesson-09")[index]
    let band = try #require(drawing.band("touch"))
    let pieces = example.ticks.map(\.instant)
    // The server sends a piece each 30 ms or so.
    let before = try #require(pieces.filter { $0 < band.began + drawing.grain }.max())
    #expect(band.began - before < 0.05)
    #expect(!pieces.contains { $0 > band.began + drawing.grain && $0 < band.ended - drawing.grain })
  }

  @Test(arguments: Golden.runs) func `the tallest point of a curve is the peak, by its height and its moment`(
    _ run: String
  ) throws {
    let report = try Golden.report(run)
    let lesson = report.lessons[0]
    for (drawing, example) in zip(try Self.drawings(run), lesson.examples) where !example.memory.curve.isEmpty {
      let tallest = try #require(example.memory.curve.max { $0.bytes < $1.bytes })
      let (baseline, body) = (try #require(drawing.line("baseline")), try #require(drawing.line("body")))
      let (peak, top) = (try #require(drawing.line("peak")), try #require(drawing.top))
      // Baseline and S are the drawing's ruler: so many bytes lie between them.
      let bytesPerPixel = Double(report.bodyBytes) / (baseline - body)
      let bytes = { (y: Double) in Double(example.memory.baseline) + (baseline - y) * bytesPerPixel }
      // Heights are drawn to a tenth of a pixel.
      #expect(abs(bytes(peak) - Double(example.memory.peak)) <= bytesPerPixel / 4, "\(example.id)")
      #expect(abs(bytes(top.y) - Double(tallest.bytes)) <= bytesPerPixel / 4, "\(example.id)")
      // The kernel's high-water mark and its samples count pages at different moments.
      #expect(abs(bytes(top.y) - Double(example.memory.peak)) < Double(1 << 20) + bytesPerPixel / 4, "\(example.id)")
      #expect(
        example.memory.curve.contains { point in
          abs(point.instant - top.instant) <= drawing.grain && Double(tallest.bytes - point.bytes) <= bytesPerPixel / 4
        },
        "\(example.id) at \(top.instant)")
    }
  }
}
