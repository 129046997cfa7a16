// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Testing

@testable import ToyLessons

/// Runs real child processes of the ToyLessons executable, which lies beside the test bundle.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RunnerTests {
  static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("ToyLessons").path

  private func run(
    _ examples: String..., repetitions: Int = 1, timeout: Duration = .seconds(20)
  ) async throws -> LessonRun {
    try await Runner(executable: Self.executable).run(
      [ToyLessons.lesson],
      RunOptions(bodyBytes: 4096, repetitions: repetitions, timeout: timeout, examples: examples))
  }

  private func result(_ run: LessonRun) throws -> ExampleResult {
    try #require(run.report.lessons.first?.examples.first)
  }

  @Test func `a load's callbacks, bytes and checksum arrive with the place they came to`() async throws {
    let run = try await run("load")
    let result = try result(run)
    #expect(result.outcome == Outcome(kind: .finished, bytes: 4096, status: 200))
    #expect(result.product?.comparison == .equal)
    #expect(result.callbacks.map(\.detail) == ["response", "data", ""])
    #expect(result.callbacks.map(\.count) == [1, 4, 1])
    #expect(result.callbacks.allSatisfy { $0.places.count == 1 && $0.places[0].thread.main })
    #expect(run.report.lessons[0].claims.map(\.verdict) == [.confirmed])
    #expect(run.isAsExpected)
  }

  @Test func `memory that is given back before the end still shows in the peak and the curve`() async throws {
    let memory = try result(try await run("allocate")).memory
    #expect(memory.growth >= 31 << 20)  // the kernel's counters lag by some pages per processor
    #expect(memory.growth < 40 << 20)
    #expect(memory.curve.contains { $0.bytes >= memory.baseline + 30 << 20 })
    #expect(memory.peak == memory.baseline + memory.growth)
  }

  @Test func `an example that does nothing grows by next to nothing`() async throws {
    #expect(try result(try await run("off-main")).memory.growth < 1 << 20)
  }

  @Test func `a blocked main thread shows as a gap, an idle one does not`() async throws {
    #expect(try result(try await run("block")).mainThread.longestGap > 0.25)
    #expect(try result(try await run("off-main")).mainThread.longestGap < 0.25)
  }

  @Test func `the main thread's wake-ups are counted without the beats that it answers`() async throws {
    #expect(try #require(try await example("asks-again").recording.mainWakeups) >= 60)
    // It waits for half a second, in which it is asked some fifty times.
    #expect(try #require(try await example("waits").recording.mainWakeups) < 25)
    #expect(try await example("quiet").recording.mainWakeups == nil, "it did not come to its end")
  }

  @Test func `threads are counted without the workbench's own`() async throws {
    let threads = try result(try await run("threads")).threads
    #expect(threads.peak == threads.before + 3)
  }

  @Test func `what an example prints does not get between the results`() async throws {
    let run = try await run("print")
    #expect(run.isAsExpected)
    #expect(try result(run).outcome.kind == .finished)
  }

  private func example(_ name: String) async throws -> ExampleRun {
    let run = try await run(name)
    #expect(run.surprises == [])
    return try #require(run.results["lesson-98"]).first("connection/\(name)")
  }

  @Test func `a printed line is kept with its thread, and so is that thread's end`() async throws {
    let run = try await example("lines")
    #expect(run.recording.lines.map(\.text) == ["on-1", "on-2"])
    #expect(run.printed == ["on-1", "on-2"])
    #expect(run.recording.lines.map(\.thread.main) == [true, false])
    let worker = run.recording.lines[1]
    #expect(try #require(run.recording.threadEnds[worker.thread.id]).instant >= worker.instant)
  }

  @Test func `while the person touches the screen only the tracking mode runs`() async throws {
    let run = try await example("touched")
    let touch = try #require(run.recording.touch)
    #expect(touch.callbacks > 0)
    #expect(touch.callbacks < run.recording.callbacks.reduce(0) { $0 + $1.count })
    // The person touches after 0.2 s for 0.4 s; a loop answers within a few milliseconds, on a busy machine later.
    #expect(touch.stretch.began >= 0.2 && touch.stretch.began < 0.28)
    #expect(touch.stretch.ended >= 0.6 - 0.005)
    #expect(touch.countedFrom - touch.stretch.began >= 0.02)
    let ticks = run.recording.lines.map(\.instant)
    #expect(!ticks.isEmpty && !ticks.contains(where: touch.stretch.contains))
    #expect(run.result.mainThread.longestGap < 0.25, "the loop goes on answering")
  }

  @Test func `an example may have a shorter time limit than the run`() async throws {
    #expect(try await example("quiet").result.outcome.kind == .timedOut)
  }

  @Test func `a process is stopped and goes on`() async throws {
    let run = try await example("frozen")
    let stop = try #require(run.stop)
    #expect(stop.ended - stop.began >= 0.5)
    #expect(run.result.time.wall >= 0.4)
    #expect(run.result.outcome.kind == .finished)
  }

  @Test func `an example may be watched after its end`() async throws {
    #expect(try await example("late").recording.lines.map(\.text) == ["late"])
  }

  @Test func `the files an example leaves are compared with the body`() async throws {
    let files = try await example("files").files
    #expect(files.map(\.path) == ["mixed", "short", "whole"])
    #expect(files.map(\.bytes) == [4099, 4095, 4096])
    #expect(files.map(\.isBody) == [false, false, true])
    #expect(files.map(\.endsWithBody) == [true, false, true])
  }

  @Test func `a hang is a result that says where a callback waits`() async throws {
    let run = try await run("hang", timeout: .seconds(2))
    let result = try result(run)
    #expect(result.outcome.kind == .timedOut)
    #expect(
      result.outcome.why.description
        == "a callback was scheduled on thread\u{A0}5 in mode default, in which its run loop never ran"
    )
    #expect(result.memory.peak > 0)
    #expect(run.surprises.isEmpty)
  }

  @Test func `a connection on a thread without a running loop is diagnosed as such`() async throws {
    let why = try result(try await run("no-loop", timeout: .seconds(2))).outcome.why.description
    #expect(
      why.contains(/^a callback was scheduled on thread\u{A0}[0-9]+ in mode default, in which its run loop never ran$/),
      "\(why)")
  }

  @Test func `a main thread that never comes back yields what was measured so far`() async throws {
    let result = try result(try await run("stuck", timeout: .seconds(2)))
    #expect(result.outcome.kind == .timedOut)
    #expect(result.outcome.why.description == "no load was started, and the program did not come to its end")
    #expect(result.mainThread.longestGap > 0.5)
  }

  @Test func `a process that answers nothing at all is ended`() async throws {
    let result = try result(try await run("stopped", timeout: .seconds(1)))
    #expect(result.outcome.kind == .timedOut)
    #expect(result.outcome.why.description == "the process did not answer within 1 s and was ended")
  }

  @Test func `a crash is a result with its signal and message, and the run goes on`() async throws {
    let run = try await run("crash", "load")
    let results = run.report.lessons[0].examples
    let crash = try #require(results.first { $0.id == "connection/crash" })
    #expect(crash.outcome.kind == .crashed)
    #expect(crash.outcome.why.description.hasPrefix("SIG"))
    #expect(crash.outcome.why.description.contains("on purpose"))
    #expect(results.first { $0.id == "connection/load" }?.outcome.kind == .finished)
    #expect(run.report.lessons[0].claims.map(\.verdict) == [.confirmed, .unsettled])
    #expect(!run.isAsExpected)
  }

  @Test func `a program that ends its process itself has failed, with its status`() async throws {
    let outcome = try result(try await run("exit")).outcome
    #expect(outcome.kind == .failed)
    #expect(outcome.why.description.contains("status 7"))
  }

  @Test func `a process that an example left behind does not hold up the run`() async throws {
    let run = try await example("child")
    #expect(run.result.outcome.kind == .finished)
    // The process would sleep for longer than this suite may take, and is ended with the example's group.
    let sleeper = try #require(run.printed.first.flatMap { pid_t($0) })
    while !Self.isOver(sleeper) { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func `a claim that a body of this size cannot settle stays unsettled and says so`() async throws {
    let claim = try #require(try await run("write").report.lessons[0].claims.first)
    #expect(claim.verdict == .unsettled)
    #expect(claim.findings.first?.measured.description == "not settled with this size")
    #expect(claim.findings.first?.bound.description == "--size 1MiB or more")
  }

  @Test func `each repetition has its own entry`() async throws {
    #expect(try await run("load", repetitions: 3).report.lessons[0].examples.count == 3)
  }

  @Test func `cancelling ends the children and throws`() async throws {
    let task = Task { try await run("stuck") }
    while !Self.hasChildren() { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!Self.hasChildren())
  }

  /// True if the process is gone, or a zombie that its new parent has not waited for.
  private static func isOver(_ process: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
    return status.contains(") Z ")
  }

  /// True if a ToyLessons process that this process started is alive; other suites have children, too.
  private static func hasChildren() -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return stat?.contains("(ToyLessons) ") ?? false && stat?.contains(" \(getpid()) ") ?? false
    }
  }
}
