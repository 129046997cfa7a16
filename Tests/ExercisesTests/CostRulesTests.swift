// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import Exercises
@testable import LessonKit

/// A judgement as a person reads it.
private struct Words: Equatable {
  var measured: String
  var holds: Bool

  init(_ measured: String, _ holds: Bool) { (self.measured, self.holds) = (measured, holds) }

  init(_ judgement: Judgement) { self.init(judgement.measured.description, judgement.holds) }
}

/// How single checks judge a run, without running anything.
@Suite struct CostRulesTests {
  private static let size = 1000
  private static let main = PlaceCount.ThreadID(id: 1, name: "", main: true)
  private static let other = PlaceCount.ThreadID(id: 7, name: "network", main: false)

  private func facts(_ change: (inout ExampleResult) -> Void = { _ in }, files: [FileSeen] = []) -> RunFacts {
    var result = ExampleResult(id: "session/run-1", side: .session, outcome: Outcome(kind: .finished))
    change(&result)
    var run = ExampleRun(result: result)
    run.files = files
    return RunFacts(run: run, caseID: "run", bodyBytes: Self.size, seed: 4, opens: nil)
  }

  private func check(_ map: String) throws -> any CheckKind { try CheckKinds.parsing(map) }

  private func callback(_ threads: PlaceCount.ThreadID..., implemented: Bool = true) -> CallbackCount {
    var count = CallbackCount(
      name: "n", count: threads.count, first: 0, last: 1, places: threads.map { PlaceCount(thread: $0, count: 1) })
    count.implemented = implemented
    return count
  }

  @Test func `memory at the end counts from the baseline, whatever the peak was`() throws {
    let run = facts { result in
      result.memory = MemoryUse(
        baseline: 10 << 20, peak: 80 << 20, growth: 70 << 20,
        curve: [CurvePoint(instant: 0.1, bytes: 80 << 20), CurvePoint(instant: 0.2, bytes: 13 << 20)])
    }
    #expect(
      try Words(check("{kind: memory_left, at_most: 3MiB}").judge(run)) == Words("3.0 MiB more than before", true))
    #expect(try !check("{kind: memory_left, at_most: 2MiB}").judge(run).holds)
    #expect(try !check("{kind: memory_left, at_most: 1GiB}").judge(facts()).holds)
  }

  @Test func `memory at a line is the most that was resident each time it was printed`() throws {
    var run = facts { $0.memory = MemoryUse(baseline: 10 << 20, curve: [CurvePoint(instant: 1, bytes: 10 << 20)]) }
    let left = try check("{kind: memory_left, at_most: 4MiB, line: over}")
    #expect(Words(left.judge(run)) == Words("nobody printed that", false))
    run.run.recording.lines = [11, 12].map {
      PrintedLine(text: "over", instant: 0.5, thread: Self.main, runLoopMode: nil, resident: $0 << 20)
    }
    #expect(Words(left.judge(run)) == Words("2.0 MiB more than before", true))
    run.run.recording.lines[0].resident = 80 << 20
    #expect(!left.judge(run).holds)
  }

  @Test func `threads of callbacks are counted where the delegate has the method`() throws {
    let run = facts {
      $0.callbacks = [callback(Self.other), callback(Self.other), callback(Self.main, implemented: false)]
    }
    let one = try check("{kind: callback_threads, exactly: 1}")
    #expect(Words(one.judge(run)) == Words("1", true))
    #expect(!one.judge(facts { $0.callbacks = [callback(Self.main, Self.other)] }).holds)
    #expect(!one.judge(facts()).holds)
  }

  @Test func `threads at once have a bound`() throws {
    let run = facts { $0.threads = ThreadCounts(before: 3, peak: 8) }
    #expect(try Words(check("{kind: threads, at_most: 5}").judge(run)) == Words("5 more than before", true))
    #expect(try !check("{kind: threads, at_most: 4}").judge(run).holds)
  }

  @Test func `wake-ups are those of the thread that printed the line, when it has ended`() throws {
    var run = facts()
    func words(_ most: Int) throws -> Words {
      Words(try check("{kind: wakeups, line: on, at_most: \(most)}").judge(run))
    }
    #expect(try words(9) == Words("nobody printed that", false))
    run.run.recording.lines = [PrintedLine(text: "on", instant: 1, thread: Self.other, runLoopMode: nil, resident: 0)]
    #expect(try words(9) == Words("thread\u{A0}7 “network” has not ended", false))
    run.run.recording.threadEnds = [7: ThreadEnd(instant: 2, cpu: 0, wakeups: 9)]
    #expect(try words(9) == Words("9", true))
    #expect(try words(8) == Words("9", false))
    let all = try check("{kind: wakeups, at_most: 30}")
    #expect(Words(all.judge(run)) == Words("this was not measured", false))
    run.run.recording.otherWakeups = 30
    #expect(Words(all.judge(run)) == Words("30", true))
    run.run.recording.otherWakeups = 31
    #expect(!all.judge(run).holds)
  }

  @Test func `wake-ups of the main thread have a bound, and hold only where they were counted`() throws {
    let rule = try check("{kind: main_wakeups, at_most: 9}")
    var run = facts()
    #expect(rule.judge(run) == .notMeasured)
    run.run.recording.mainWakeups = 9
    #expect(Words(rule.judge(run)) == Words("9", true))
    run.run.recording.mainWakeups = 10
    #expect(!rule.judge(run).holds)
  }

  @Test func `files are right when there are so many and each holds the body`() throws {
    let folder = try TestFolder()
    let body = SeededBody(seed: 4).bytes(0..<Int64(Self.size))
    let rule = try check("{kind: files, prefix: part-, exactly: 2}")
    let judge = { (sent: Int) in
      rule.judge(facts({ $0.traffic.bytesSent = sent }, files: FileSeen.all(in: folder.url.path, body: nil)))
    }
    try folder.write(body, to: "part-1")
    try folder.write([1], to: "other")
    #expect(Words(judge(Self.size)) == Words("1 file, 1 of them right", false))
    try folder.write(body, to: "part-2")
    #expect(judge(Self.size).holds)
    #expect(Words(judge(9)) == Words("the right bytes, of which the server sent only 9 B", false))
    try folder.write(body.reversed(), to: "part-2")
    #expect(judge(Self.size).measured.description == "2 files, 1 of them right")
    try folder.write(body, to: "part-2")
    try folder.write(body, to: "part-3")
    #expect(!judge(Self.size).holds)
  }

  @Test func `files with numbers hold each the body of its number`() throws {
    let folder = try TestFolder()
    let rule = try check("{kind: files, prefix: part-, exactly: 2, content: numbered}")
    let judge = {
      rule.judge(facts({ $0.traffic.bytesSent = 2 * Self.size }, files: FileSeen.all(in: folder.url.path, body: nil)))
    }
    for number in 1...2 as ClosedRange<UInt64> {
      try folder.write(SeededBody(seed: 4 + number).bytes(0..<Int64(Self.size)), to: "part-\(number)")
    }
    #expect(Words(judge()) == Words("2 files, 2 of them right", true))
    try folder.write(SeededBody(seed: 5).bytes(0..<Int64(Self.size)), to: "part-2")
    #expect(Words(judge()) == Words("2 files, 1 of them right", false))
  }

  @Test func `moves during a touch count while the main loop runs in the tracking mode`() throws {
    var run = facts { $0.happenings.touch = Touch(stretch: .init(began: 1, ended: 2), callbacks: 0) }
    run.run.result.time.wall = 3
    let mode = RunLoop.Mode.tracking.rawValue
    run.run.recording.shown = [(1.2, mode), (1.4, RunLoop.Mode.default.rawValue), (1.6, mode), (2.5, mode)].map {
      ShownValue(kind: .progress, text: "\($0)", instant: $0, thread: Self.main, runLoopMode: $1)
    }
    #expect(try Words(check("{kind: touched, at_least: 3}").judge(run)) == Words("2", false))
    #expect(try check("{kind: touched, at_least: 2}").judge(run).holds)
    let rising = try check("{kind: touched, at_least: 2, rise: 0.4}")
    #expect(Words(rising.judge(run)) == Words("2, by 0.40 together", true))
    #expect(try !check("{kind: touched, at_least: 2, rise: 0.41}").judge(run).holds)
    #expect(try !check("{kind: touched, at_least: 3, rise: 0.1}").judge(run).holds)
  }

  @Test func `the words of the endings follow from the run's seed`() throws {
    var run = facts()
    let words = SeededEndings(seed: 4).order.map(\.rawValue).joined(separator: " ")
    let rule = try check(#"{kind: result, equals: "{endings}"}"#)
    let (uneven, nothing) = (try check(#"{kind: result, equals: "{uneven}"}"#), try check("{kind: result}"))
    #expect(!rule.judge(run).holds && nothing.judge(run).holds)
    run.run.recording.shown = [ShownValue(kind: .result, text: words, instant: 0, thread: Self.main)]
    #expect(rule.judge(run).holds && !uneven.judge(run).holds && !nothing.judge(run).holds)
    run.run.recording.shown[0].text = SeededEndings(seed: 4, isUneven: true).order.map(\.rawValue).joined(
      separator: " ")
    #expect(uneven.judge(run).holds)
    run.run.recording.shown[0].text = words
    run.seed = 5
    #expect(!rule.judge(run).holds)
  }

  @Test func `a bar that was cut short stays where the body ended`() throws {
    var run = facts()
    let torn = try check("{kind: progress, at_most: 1, until: 0}")
    #expect(torn.judge(run).holds)
    run.run.recording.shown = [0.1, 0.4].map {
      ShownValue(kind: .progress, text: "\($0)", instant: 0, thread: Self.main)
    }
    #expect(!torn.judge(run).holds)
    #expect(try check("{kind: progress, at_least: 2, until: 0.5}").judge(run).holds)
    #expect(try !check("{kind: progress, at_least: 2, until: 0.3}").judge(run).holds)
    #expect(try !check("{kind: progress, at_least: 2, until: 0.9}").judge(run).holds)
  }

  @Test func `what is shown after the program's end does not count, and a label may have to stay unset`() throws {
    var run = facts()
    #expect(try check("{kind: label}").judge(run).holds)
    run.run.recording.shown = [ShownValue(kind: .label, text: "a", instant: 0, thread: Self.main)]
    #expect(try !check("{kind: label}").judge(run).holds)
    run.run.recording.shown[0].instant = 1
    #expect(try !check("{kind: label, equals: a}").judge(run).holds)
  }

  @Test func `all results are compared, and loads by the thread that starts them`() throws {
    var run = facts()
    let none = try check("{kind: starts_on_main, exactly: 0}")
    #expect(Words(none.judge(run)) == Words("no load was started", false))
    #expect(try Words(check("{kind: loads, at_most: 1}").judge(run)) == Words("0", true))
    #expect(try !check("{kind: loads, at_least: 1}").judge(run).holds)
    run.run.recording.shown = ["a", "b"].map { ShownValue(kind: .result, text: $0, instant: 0, thread: Self.main) }
    #expect(try Words(check("{kind: results, equals: a}").judge(run)) == Words("“a b”", false))
    #expect(try check("{kind: results, equals: a b}").judge(run).holds)
    #expect(try !check("{kind: result}").judge(run).holds)
    #expect(try Words(check("{kind: result}").judge(facts())) == Words("nothing", true))
  }

  @Test func `a manifest that says too little of files is refused`() {
    #expect(throws: LessonKitError.self) { try check("{kind: files, prefix: part-, exactly: 50, content: other}") }
    #expect(throws: LessonKitError.self) { try check("{kind: files, prefix: part-}") }
  }
}
