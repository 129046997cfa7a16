// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Pages
import Reports
import Testing

@testable import Exercises

/// The page that a student gets back.
@Suite struct FeedbackPageTests {
  private static let script = "</script><script>alert(1)</script>"
  private let course: ExerciseCourse
  private let exercise: Exercise
  private let root = LessonText(environment: [:]).root

  init() throws {
    course = try ExerciseCourse(folder: root)
    exercise = try course.exercise(named: "4")
  }

  /// A run of 64 MiB in which memory grew by all of it; `name` stands for whatever a program can name.
  private func run(_ checks: [String], named name: String, amount: Int = 3) throws -> MeasuredRun {
    var result = ExampleResult(id: "session/plain-1", side: .session, outcome: Outcome(kind: .finished))
    result.time.wall = 2
    result.memory = MemoryUse(
      baseline: 32 << 20, peak: 96 << 20, growth: 64 << 20,
      curve: [CurvePoint(instant: 0, bytes: 32 << 20), CurvePoint(instant: 1, bytes: 96 << 20)])
    let place = PlaceCount(
      thread: PlaceCount.ThreadID(id: 2, name: name, main: false), queue: name, runLoopMode: name, count: amount)
    result.callbacks = [CallbackCount(name: name, count: amount, first: 0.1, last: 1, places: [place])]
    result.ticks = (0..<amount).map { CallbackTick(instant: 2 * Double($0) / Double(amount), callback: 0, thread: 2) }
    result.loads = (1...amount).map {
      var load = LoadResult(number: $0, kind: .failed, began: 0.1, ended: 1)
      load.error = Outcome.Failure(domain: name, code: 1, name: "")
      return load
    }
    let request = """
      {"method": "GET", "target": "/", "version": "HTTP/1.1", "fields": {}, "bodyBytes": 0, "bodyChecksum": "",
       "status": 200, "bytesSent": 67108864, "socket": 1, "began": 0.2, "ended": 0.9}
      """
    var seen = try JSONDecoder().decode(RequestSeen.self, from: Data(request.utf8))
    seen.target = name
    result.requests = Array(repeating: seen, count: amount)
    let begun = RunReport(
      machine: Machine(system: "Linux", kernel: "6", architecture: "x86_64", processors: 2, memory: 1 << 30),
      started: "2026-11-26T00:00:00Z", bodyBytes: 0, lessons: [])
    let facts = RunFacts(run: ExampleRun(result: result), caseID: "plain", bodyBytes: 64 << 20, seed: 1)
    return try #require(MeasuredRun(facts, deciding: checks, on: exercise, begun))
  }

  private func page(
    _ runs: [MeasuredRun], _ outcome: ExerciseOutcome = .failed, _ language: Language = .english
  ) throws -> String {
    var result = ExerciseResult(exercise, outcome)
    result.checks = [
      CheckResult(
        id: "memory", title: "memory", passed: outcome == .passed, wanted: "growth of at most 8.0 MiB",
        measured: "64.0 MiB", outside: true, points: 5)
    ]
    result.runs = runs
    let handIn = HandIn(name: "student-01", places: [URL(fileURLWithPath: "/teacher/class/student-01")])
    let row = GradedHandIn(handIn, GradeReport([result]))
    return try #require(try FeedbackPage(row, course: course, try StringCatalogue(language, root: root)).text())
  }

  private func drawings(_ page: String) -> Int { page.matches(of: /<svg class="drawing"/).count }

  @Test func `a page draws the runs that decide, in the reader's language`() throws {
    let runs = [try run(["memory", "file"], named: "/body")]
    let failed = try page(runs)
    #expect(drawings(failed) == 1)
    for words in [
      "<h3>Your program as it was measured</h3>", "This run decides: memory, file.", "What the drawings mean",
      "S = 64.0\u{A0}MiB · 2026-11-26T00:00:00Z · Linux", "+64.0\u{A0}MiB = 1.00\u{A0}S", "<h4>plain</h4>",
      "<summary>Callbacks and requests</summary>", "thread\u{A0}2", "server: requests",
    ] { #expect(failed.contains(words), "\(words)") }
    #expect(drawings(try page(runs, .passed)) == 1)
    let chinese = try page(runs, .failed, .simplifiedChinese)
    for words in ["你的程序的实测情况", "由这次运行决定的检查：memory, file。", "服务器：请求", "图例"] {
      #expect(chinese.contains(words), "\(words)")
    }
  }

  @Test func `a result without runs, or with one that is no report, has a page without a drawing`() throws {
    let old = try page([])
    #expect(drawings(old) == 0 && old.contains("growth of at most 8.0 MiB"))
    #expect(!old.contains("What the drawings mean") && !old.contains("Your program as it was measured"))
    let kept = try run([], named: "/body")
    let long = MeasuredRun(checks: [], report: kept.report + String(repeating: " ", count: MeasuredRun.limit))
    let newer = kept.report.replacing("\"schema\":2", with: "\"schema\":3")
    for damaged in ["", "{}", String(kept.report.dropLast(9)), newer] {
      #expect(drawings(try page([MeasuredRun(checks: [], report: damaged), long])) == 0, "\(damaged.prefix(20))")
    }
  }

  @Test func `what a program names is text, and no folder of the grader's`() throws {
    let page = try page([try run([], named: Self.script), try run([], named: "/teacher/class/student-01/x y")])
    #expect(drawings(page) == 2)
    #expect(!page.contains(Self.script) && !page.contains("<script>alert"))
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)") && page.contains("\\u003c/script>"))
    #expect(page.matches(of: /<script/).count == 2 + 2, "the page's own two, and the data of each drawing")
    #expect(!page.contains("/teacher") && page.contains("student-01/x y"))
  }

  @Test func `a page has a bound, whatever a program does and however many runs a result names`() throws {
    let run = try run([], named: String(repeating: "\"&<", count: 500), amount: 500)
    let page = try page(Array(repeating: run, count: 50))
    #expect(drawings(page) == MeasuredRun.most && page.contains("More happened than is drawn."))
    #expect(page.utf8.count < MeasuredRun.most * (1 << 20), "\(page.utf8.count)")
  }

  @Test func `numbers that no program measures end no page`() throws {
    let text = try run([], named: "/body").report
    for (number, other) in [
      ("67108864", "9223372036854775807"), ("0.9", "1e300"), ("33554432", "-9223372036854775808"),
    ] {
      #expect(text.contains(number))
      let page = try page([MeasuredRun(checks: [], report: text.replacing(number, with: other))])
      #expect(drawings(page) == 1)
    }
  }
}
