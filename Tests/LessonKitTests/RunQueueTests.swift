// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct RunQueueTests {
  private static func example(_ name: String, takes seconds: Double = 0) -> Example {
    Example("connection/\(name)", .connection, "", file: "", loads: .body(takes: .seconds(seconds))) { _ in }
  }

  private static func queue(_ examples: [Example], jobs: Int = 2) -> RunQueue {
    RunQueue(examples.map { ($0, 1) }, jobs: jobs)
  }

  private static func run(_ example: Example) -> ExampleRun {
    ExampleRun(
      result: ExampleResult(id: example.id, title: "", side: example.side, outcome: Outcome(kind: .finished)))
  }

  /// Begins all that may begin now, and answers their numbers.
  private func begun(_ queue: inout RunQueue) -> [Int] {
    var turns: [Int] = []
    while let turn = queue.next() { turns.append(turn) }
    return turns
  }

  /// A turn ends; answers the names that are reported then.
  private func end(_ turn: Int, _ queue: inout RunQueue) -> [String] {
    queue.ended(turn, with: Self.run(queue[turn].example)).map(\.run.result.id)
  }

  @Test func `one job takes one example after the other, in the schedule's order`() {
    let examples = [Self.example("a").besideOthers(), Self.example("b", takes: 9).besideOthers(), Self.example("c")]
    var queue = Self.queue(examples, jobs: 1)
    for turn in 0..<3 {
      #expect(begun(&queue) == [turn])
      #expect(end(turn, &queue) == [examples[turn].id])
    }
    #expect(begun(&queue).isEmpty)
  }

  @Test func `as many run beside one another as there are jobs`() {
    var queue = Self.queue(["a", "b", "c"].map { Self.example($0).besideOthers() })
    #expect(begun(&queue) == [0, 1])
    #expect(end(0, &queue) == ["connection/a"])
    #expect(begun(&queue) == [2])
    #expect(queue.running.map(\.example.id) == ["connection/b", "connection/c"])
  }

  @Test func `nothing runs beside an example that measures alone`() {
    var queue = Self.queue([
      Self.example("a").besideOthers(), Self.example("alone"), Self.example("b").besideOthers(), Self.example("too"),
    ])
    #expect(begun(&queue) == [0, 2])
    _ = end(0, &queue)
    #expect(begun(&queue).isEmpty, "the other one still runs")
    _ = end(2, &queue)
    #expect(begun(&queue) == [1])
    _ = end(1, &queue)
    #expect(begun(&queue) == [3])
  }

  @Test func `of those that run beside others the longest begins first`() {
    var queue = Self.queue([
      Self.example("a", takes: 1).besideOthers(), Self.example("b", takes: 9),
      Self.example("c", takes: 3).besideOthers(),
      Self.example("d", takes: 2).besideOthers(),
    ])
    #expect(begun(&queue) == [2, 3])
  }

  @Test func `what ends early is reported in its place`() {
    var queue = Self.queue(["a", "b", "c"].map { Self.example($0).besideOthers() }, jobs: 3)
    #expect(begun(&queue) == [0, 1, 2])
    #expect(end(2, &queue).isEmpty)
    #expect(end(1, &queue).isEmpty)
    #expect(end(0, &queue) == ["connection/a", "connection/b", "connection/c"])
    #expect(queue.runs.map(\.result.id) == ["connection/a", "connection/b", "connection/c"])
  }

  @Test func `a run that breaks off reports what ended early`() {
    var queue = Self.queue(["a", "b", "c"].map { Self.example($0).besideOthers() }, jobs: 3)
    #expect(begun(&queue) == [0, 1, 2])
    #expect(end(1, &queue).isEmpty)
    #expect(queue.brokeOff().map(\.run.result.id) == ["connection/b"])
    #expect(queue.brokeOff().isEmpty)
  }

  @Test func `an example of the toolchain's column begins when all runs of its twin have ended`() {
    let own = Self.example("a").besideOthers()
    let theirs = own.substituted(by: "/bin/true", program: "a")
    var queue = RunQueue([(own, 1), (own, 2), (theirs, 1)], jobs: 3)
    #expect(begun(&queue) == [0, 1])
    _ = end(0, &queue)
    #expect(begun(&queue).isEmpty)
    _ = end(1, &queue)
    #expect(begun(&queue) == [2])
  }

  @Test func `no more jobs are made than examples can use`() {
    var lesson = Lesson(
      number: 99, slug: "x", title: "", minutes: 1, examples: [Self.example("a"), Self.example("b").besideOthers()],
      claims: [])
    var options = RunOptions()
    options.jobs = 8
    #expect(options.jobs(of: [lesson]) == 1)
    lesson.examples.append(Self.example("c").besideOthers())
    #expect(options.jobs(of: [lesson]) == 2)
    options.repetitions = 3
    #expect(options.jobs(of: [lesson]) == 6)
    lesson.examples = [Self.example("a")]
    #expect(options.jobs(of: [lesson]) == 1)
  }
}
