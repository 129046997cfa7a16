// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Locking
import Testing

@testable import ToyLessons

/// Runs with two jobs: real child processes, as in `RunnerTests`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SeveralJobsTests {
  /// What an observer heard, in order.
  private struct Heard: Sendable {
    var ended: [String] = []
    var broken: LessonRun?
  }

  private static func options(_ examples: String...) -> RunOptions {
    var options = RunOptions(bodyBytes: 4096, examples: examples)
    options.jobs = 2
    return options
  }

  private func run(_ options: RunOptions, _ observer: RunObserver = RunObserver()) async throws -> RunResults {
    let run = try await Runner(executable: RunnerTests.executable, observer: observer).run([ToyLessons.lesson], options)
    #expect(run.surprises == [])
    return try #require(run.results["lesson-98"])
  }

  @Test func `two examples that may run beside others meet, and each has its own requests`() async throws {
    let results = try await run(Self.options("meets-1", "meets-2"))
    for name in ["1", "2"] {
      let run = try results.first("connection/meets-\(name)")
      #expect(run.requests.map(\.target) == ["/json?who=\(name)"])
    }
  }

  @Test func `an example that measures alone meets nobody, and results come in order`() async throws {
    let heard = Locked(Heard())
    var observer = RunObserver()
    observer.ended = { _, result in heard.withLock { $0.ended.append(result.id) } }
    let results = try await run(Self.options("meets-1", "alone", "meets-2"), observer)
    #expect(try results.first("connection/alone").printed == ["alone"])
    for name in ["meets-1", "meets-2"] {
      #expect(try results.first("connection/\(name)").printed == ["room for others"])
    }
    #expect(heard.withLock { $0.ended } == ["connection/meets-1", "connection/alone", "connection/meets-2"])
  }

  @Test func `the repetitions of an example run beside one another, each with its own entry`() async throws {
    var options = Self.options("quick")
    options.repetitions = 3
    let most = Locked(0)
    var observer = RunObserver()
    observer.progress = { progress in most.withLock { $0 = max($0, progress.examples.count) } }
    #expect(try await run(options, observer).all("connection/quick").count == 3)
    #expect(most.withLock { $0 } == 2)
  }

  @Test func `a run that is cancelled keeps what has ended beside an example under way`() async throws {
    let heard = Locked(Heard())
    let (left, tell) = AsyncStream<[String]>.makeStream()
    var observer = RunObserver()
    observer.progress = { if $0.done == 1 { tell.yield($0.examples) } }
    observer.interrupted = { run in heard.withLock { $0.broken = run } }
    observer.ended = { _, result in heard.withLock { $0.ended.append(result.id) } }
    let task = Task { [observer] in try await run(Self.options("holds", "quick"), observer) }
    for await examples in left {
      #expect(examples == ["connection/holds"], "what runs on is told")
      break
    }
    #expect(heard.withLock { $0.ended } == [], "the first in the schedule has not ended")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(heard.withLock { $0.ended } == ["connection/quick"])
    let broken = try #require(heard.withLock { $0.broken })
    #expect(broken.report.lessons.map(\.incomplete) == [true])
    #expect(broken.report.lessons.first?.examples.map(\.id) == ["connection/quick"])
  }
}
