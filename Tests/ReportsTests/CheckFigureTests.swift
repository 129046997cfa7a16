// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Reports

/// What a check that does not hold measured, with what was wanted marked in it, beside the good example.
@Suite struct CheckFigureTests {
  private static let main = PlaceCount.ThreadID(id: 1, name: "", main: true)
  private static let worker = PlaceCount.ThreadID(id: 2, name: "", main: false)
  private static let third = PlaceCount.ThreadID(id: 3, name: "", main: false)

  /// A run of one second whose callbacks came on these threads.
  private func run(_ id: String, on threads: [PlaceCount.ThreadID] = [main]) -> ExampleResult {
    var example = ExampleResult(id: id, side: .session, outcome: Outcome(kind: .finished))
    example.time.wall = 1
    let places = threads.map { PlaceCount(thread: $0, count: 2) }
    example.callbacks = [
      CallbackCount(
        name: "connection(_:didReceive:)", detail: "data", count: 2 * threads.count, first: 0.1, last: 0.9,
        places: places)
    ]
    example.ticks = threads.map { CallbackTick(instant: 0.5, callback: 0, thread: $0.id, count: 2) }
    return example
  }

  private func request(_ target: String, _ fields: String = "{}", status: Int = 200) throws -> RequestSeen {
    let text = """
      {"method": "GET", "target": "\(target)", "version": "", "fields": \(fields), "bodyBytes": 0, "bodyChecksum": "",
       "status": \(status), "bytesSent": 2048, "socket": 1, "began": 0.2, "ended": 0.45}
      """
    return try JSONDecoder().decode(RequestSeen.self, from: Data(text.utf8))
  }

  private func shown(_ kind: String, at instant: Double, on thread: PlaceCount.ThreadID) throws -> ShownValue {
    let text = """
      {"kind": "\(kind)", "text": "a", "instant": \(instant),
       "thread": {"id": \(thread.id), "name": "", "main": \(thread.main)}}
      """
    return try JSONDecoder().decode(ShownValue.self, from: Data(text.utf8))
  }

  /// The figures of the program and of the good example.
  private func figures(
    _ mark: FigureMark, wanted: Phrase = "exactly 0", own: ExampleResult, showing: [ShownValue] = [],
    beside good: ExampleResult?, _ language: Language = .english
  ) throws -> [String] {
    let report = RunReport(
      machine: Machine(system: "Linux", kernel: "6", architecture: "x86_64", processors: 2, memory: 1 << 30),
      started: "2026-11-26T00:00:00Z", bodyBytes: 64 << 20, lessons: [])
    let root = LessonText(environment: [:]).root
    let figure = CheckFigure(
      mark, wanted: wanted, in: RunFigures.Run(example: own, of: report, words: "own"), showing: showing,
      beside: good.map { RunFigures.Run(example: $0, of: report, words: "good") },
      try StringCatalogue(language, root: root))
    return try figure.html().components(separatedBy: "<figure").dropFirst().map { $0 }
  }

  @Test func `memory has the allowed line with its value, in both drawings on one scale`() throws {
    var (own, good) = (run("plain"), run("good"))
    let points = [CurvePoint(instant: 0, bytes: 32 << 20), CurvePoint(instant: 1, bytes: 96 << 20)]
    own.memory = MemoryUse(baseline: 32 << 20, peak: 96 << 20, growth: 64 << 20, curve: points)
    good.memory = MemoryUse(
      baseline: 40 << 20, peak: 41 << 20, growth: 1 << 20, curve: [CurvePoint(instant: 0, bytes: 41 << 20)])
    let mark = FigureMark.memory(atMost: 8 << 20, atEnd: false)
    let both = try figures(mark, own: own, beside: good)
    #expect(both.count == 2)
    for figure in both {
      #expect(figure.contains(">allowed: +8.0\u{A0}MiB</text>"))
      // 8 of 64 MiB above the baseline, on a curve of 120 pixels.
      #expect(figure.contains("<rect class=\"allowed\" x=\"0\" width=\"100%\" y=\"126.0\" height=\"2\"/>"))
      #expect(figure.contains("2026-11-26T00:00:00Z") && !figure.contains("class=\"track\""))
    }
    #expect(both[0].contains("checked own") && both[1].contains("checked good"))
    let end = try figures(.memory(atMost: 4 << 20, atEnd: true), own: own, beside: nil, .simplifiedChinese)
    #expect(end.count == 1 && end[0].contains("结束时允许：+4.0\u{A0}MiB"))
    #expect(end[0].contains("class=\"allowed\" x=\"75%\""))
  }

  @Test func `callbacks on a lane are counted there, and the lane says what is wanted`() throws {
    let both = try figures(
      .callbacks(.main, least: 0, most: 0), own: run("plain", on: [Self.main, Self.worker]),
      beside: run("good", on: [Self.worker]))
    #expect(both[0].contains("2 callbacks here; wanted: exactly 0") && both[0].contains("class=\"unwanted\""))
    #expect(both[1].contains("0 callbacks here; wanted: exactly 0") && both[1].contains("class=\"wanted\""))
    #expect(both.allSatisfy { $0.matches(of: /wanted"/).count == 1 && !$0.contains("class=\"curve\"") })
  }

  @Test func `threads beyond those that are allowed are marked`() throws {
    let both = try figures(
      .callbacks(.threads, least: nil, most: 1), wanted: "at most 1", own: run("plain", on: [Self.worker, Self.third]),
      beside: run("good", on: [Self.worker]))
    #expect(both[0].contains("wanted: at most 1") && both[0].contains("beyond what is wanted"))
    #expect(both[0].matches(of: /class="unwanted"/).count == 1 && !both[1].contains("class=\"unwanted\""))
  }

  @Test func `what the program shows stands on its lane, and where it was wanted has a frame`() throws {
    var (own, good) = (run("plain"), run("good"))
    own.happenings.touch = Touch(stretch: Circumstances.Stretch(began: 0.25, ended: 0.75), callbacks: 0)
    good.happenings.touch = own.happenings.touch
    let values = try [0.1, 0.9].map { try shown("progress", at: $0, on: Self.main) }
    let both = try figures(
      .shown(.progress, inTouch: true), wanted: "at least 3 moves", own: own, showing: values, beside: good)
    #expect(both[0].contains("app.progress(_:) · 2×") && both[0].contains("wanted here: at least 3 moves"))
    #expect(!both[1].contains("app.progress") && !both[1].contains("wanted here"))
    #expect(both.allSatisfy { $0.contains("<rect class=\"wanted\" x=\"25.00%\" width=\"50.0%\"") })
    let elsewhere = [try shown("label", at: 0.5, on: Self.worker)]
    let label = try figures(.shown(.label, inTouch: false), own: own, showing: elsewhere, beside: nil)
    #expect(label[0].contains(">wanted here</text>") && label[0].contains(">not wanted here</text>"))
  }

  @Test func `a silence of the main thread has what is allowed of it beside it`() throws {
    var own = run("plain")
    own.mainThread = MainThread(
      longestGap: 0.8, gaps: [Circumstances.Stretch(began: 0.1, ended: 0.9), .init(began: 0.92, ended: 0.95)])
    let figure = try figures(.silence(atMost: 0.5), own: own, beside: nil)[0]
    #expect(figure.matches(of: /<rect class="allowed" x="10.00%" width="50.0%"/).count == 1)
    #expect(figure.matches(of: /class="allowed"/).count == 1 && figure.contains("allowed: 0.50\u{A0}s"))
  }

  @Test func `requests stand one by one with what was wanted of each`() throws {
    var (own, good) = (run("plain"), run("good"))
    own.requests = [try request("/a?<x>", #"{"x-course": "1"}"#), try request("/b")]
    good.requests = [try request("/c", #"{"x-course": "2"}"#)]
    let verdicts = [FigureMark.RequestVerdict(holds: true, wanted: "1"), .init(holds: false, wanted: "1")]
    let both = try figures(.requests(.field("x-course"), verdicts, missing: 2), own: own, beside: good)
    #expect(both[0].contains("<tr><td>✓</td><td>GET /a?&lt;x&gt;</td><td>1</td><td>1</td></tr>"))
    #expect(both[0].contains("<tr class=\"missed\"><td>✗</td><td>GET /b</td><td>–</td><td>1</td></tr>"))
    #expect(both[0].contains("2 requests more wanted") && both[0].contains("server: requests"))
    #expect(both[1].contains("<tr><td></td><td>GET /c</td><td>2</td></tr>") && !both[1].contains("more wanted"))
    let chinese = try figures(
      .requests(.duration, [], missing: 1), own: run("plain"), beside: nil, .simplifiedChinese)
    #expect(chinese[0].contains("没有请求") || chinese[0].contains("还缺 1 个请求"))
  }

  @Test func `of many requests the first and the first wrong ones stand there`() throws {
    var own = run("plain")
    own.requests = try (0..<200).map { try request("/\($0)") }
    let verdicts = (0..<200).map { FigureMark.RequestVerdict(holds: $0 != 150) }
    let figure = try figures(.requests(.status, verdicts, missing: 0), own: own, beside: nil)[0]
    #expect(figure.matches(of: /<td>GET\s/).count == 7 && figure.contains("<td>GET /150</td>"))
    #expect(figure.contains("and 193 more"))
  }
}
