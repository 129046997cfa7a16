// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// The values of a run that a result keeps for a drawing.
@Suite(.serialized, .timeLimit(.minutes(4))) struct MeasuredRunTests {
  private static let peak = CurvePoint(instant: 1.2345678, bytes: 90 << 20)
  private let exercise: Exercise
  private let begun: RunReport

  init() throws {
    exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    begun = RunReport(
      machine: Machine(system: "Linux", kernel: "6", architecture: "x86_64", processors: 2, memory: 1 << 30),
      started: "2026-11-26T00:00:00Z", bodyBytes: 0, lessons: [])
  }

  /// A run in which so much happened, with `name` for whatever a program can name. Its ticks are as many as a run has.
  private func facts(_ amount: Int, places: Int = 300, named name: String) throws -> RunFacts {
    var result = ExampleResult(id: "session/plain-1", title: name, side: .session, outcome: Outcome(kind: .failed))
    result.time.wall = 2
    result.outcome.why = "\(name)"
    result.outcome.error = Outcome.Failure(domain: name, code: -1, name: name)
    result.callbacks = (0..<places).map { number in
      let places = (0..<places).map { thread in
        PlaceCount(
          thread: PlaceCount.ThreadID(id: thread + 1, name: name, main: thread == 0), queue: name, runLoopMode: name,
          count: 1)
      }
      return CallbackCount(name: name, detail: "\(number)", count: amount, first: 0, last: 2, places: places)
    }
    result.ticks = (0..<min(amount, 2048)).map { number in
      CallbackTick(instant: Double(number) / 1024, callback: number % 3, thread: number % places + 1)
    }
    result.memory = MemoryUse(
      baseline: 1, peak: Self.peak.bytes, growth: 1,
      curve: (0..<min(amount, 2048)).map { CurvePoint(instant: Double($0) / 1024, bytes: $0 % 7) } + [Self.peak])
    result.printed = [ProgramLine(text: "a printed line")]
    result.loads = (0..<amount).map { LoadResult(number: $0, kind: .finished, began: 0.1, ended: 1.0 / 3) }
    let request = """
      {"method": "GET", "target": "/", "version": "HTTP/1.1", "fields": {"authorization": "secret"}, "bodyBytes": 0,
       "fieldLines": ["Authorization: secret"], "answerLines": ["HTTP/1.1 200 OK", "Set-Cookie: secret"],
       "bodyChecksum": "0", "status": 200, "bytesSent": 2000, "socket": 1, "began": 0.123456789, "ended": 0.2}
      """
    var seen = try JSONDecoder().decode(RequestSeen.self, from: Data(request.utf8))
    (seen.method, seen.target) = (name, name)
    result.requests = Array(repeating: seen, count: amount)
    return RunFacts(run: ExampleRun(result: result), caseID: "plain", bodyBytes: 64 << 20, seed: 1)
  }

  private func example(of run: MeasuredRun) throws -> (report: RunReport, example: ExampleResult) {
    let report = try JSONDecoder().decode(RunReport.self, from: Data(run.report.utf8))
    return (report, try #require(report.lessons.first?.examples.first))
  }

  @Test func `a run is kept with what a drawing shows, and with nothing else`() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let name = "\(folder)/workbench-run-x/1"
    let run = try #require(
      MeasuredRun(try facts(200, places: 5, named: name), deciding: ["memory"], on: exercise, begun))
    let (report, example) = try example(of: run)
    #expect(run.checks == ["memory"] && !run.isCut && report.bodyBytes == 64 << 20 && example.id == "plain")
    #expect(example.requests.count == 200 && example.loads.count == 200, "as many as the largest exercise has")
    #expect(example.requests[0].began == 0.123457 && example.requests[0].target == "workbench-run-x/1")
    #expect(example.ticks.reduce(0) { $0 + $1.count } == 200)
    #expect(example.memory.curve.map(\.bytes).max() == Self.peak.bytes)
    for word in ["secret", "a printed line", folder + "/"] { #expect(!run.report.contains(word), "\(word)") }
  }

  @Test(arguments: ["\"\\\"\"\"", "\u{1}", "<script>", "e\u{301}\u{302}", "字", ""])
  func `a program that names and does as much as it can is kept within the bound`(_ text: String) throws {
    let facts = try facts(20_000, named: String(repeating: text, count: 500))
    let run = try #require(MeasuredRun(facts, deciding: [], on: exercise, begun))
    #expect(run.isCut && run.report.utf8.count <= MeasuredRun.limit, "\(run.report.utf8.count)")
    let example = try example(of: run).example
    #expect(example.memory.curve.map(\.bytes).max() == Self.peak.bytes)
    #expect(Set(example.ticks.map(\.thread)).count <= 17 && example.callbacks.count <= 64)
  }

  @Test func `a run without a measurement that counts is not kept`() throws {
    var facts = try facts(1, named: "a")
    #expect(MeasuredRun.kept([(facts, [])], of: exercise, nil).isEmpty)
    facts.run.isForged = true
    #expect(MeasuredRun.kept([(facts, [])], of: exercise, begun).isEmpty)
    (facts.run.isForged, facts.run.wasMeasured) = (false, false)
    #expect(MeasuredRun.kept([(facts, [])], of: exercise, begun).isEmpty)
  }

  @Test func `a result is read with its runs, without any, and with damaged ones`() throws {
    var result = ExerciseResult(exercise, .failed)
    result.runs = [MeasuredRun(checks: ["memory"], isCut: true, report: "{\"a\": [1]}")]
    let text = GradeFormat.record.text(of: GradeReport([result]))
    func runs(_ text: String) throws -> [MeasuredRun] {
      try JSONDecoder().decode(GradeReport.self, from: Data(text.utf8)).exercises[0].runs
    }
    #expect(try runs(text) == result.runs)
    #expect(try runs(GradeReport([result]).json) == result.runs, "engines keep this form")
    #expect(try runs(text.replacing("\"runs\"", with: "\"others\"")).isEmpty)
    #expect(try runs(text.replacing("\"isCut\" : true", with: "\"isCut\" : 7")).isEmpty)
  }

  @Test func `runs that decide are kept, of a program that hangs as well`() async throws {
    let checker = try ExerciseChecker.ofTests(timeout: .seconds(20), keepingRunsOf: "1.2.3")
    let failed = try await checker.check(exercise, at: exercise.path(of: "Exercise.swift"))
    #expect(failed.runs.map(\.checks) == [["memory"]])
    let (report, example) = try example(of: try #require(failed.runs.first))
    #expect(report.version == "1.2.3" && example.memory.growth > 8 << 20 && example.requests.count == 1)
    let passed = try await checker.check(exercise, at: exercise.path(of: "Solution.swift"))
    #expect(passed.runs.map(\.checks) == [["file"], ["busy", "load", "memory"]])
    let folder = try TestFolder()
    let source =
      "import SessionAPI\nimport LessonKit\nenum Exercise { static func run(_ app: ExerciseContext) { app.runApplication() } }\n"
    let hung = try await ExerciseChecker.ofTests(timeout: .seconds(3), keepingRunsOf: "1.2.3")
      .check(exercise, at: folder.write(source.utf8, to: "Exercise.swift"))
    #expect(hung.outcome == .hung && hung.runs.map(\.checks) == [[]], "\(hung.outcome): \(hung.why)\(hung.compiler)")
  }
}
