// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct RunEstimateTests {
  private func example(_ resource: Example.Resource = .body(), endsAs end: Outcome.Kind = .finished) -> Example {
    Example("connection/x", .connection, "", file: "", loads: resource, endsAs: end) { _ in }
  }

  @Test func `before anything has ended nothing is said`() {
    #expect(RunEstimate([example()], repetitions: 3).secondsLeft == nil)
    #expect(RunEstimate([example()], repetitions: 3).total == 3)
  }

  @Test func `equal examples take equal times`() throws {
    var estimate = RunEstimate([example(), example(), example(), example()], repetitions: 1)
    estimate.ended(example(), after: 2)
    #expect(abs(try #require(estimate.secondsLeft) - 6) < 0.001)
    #expect(estimate.done == 1)
  }

  @Test func `what an example declares counts`() {
    let plain = RunEstimate.expected(example())
    #expect(abs(RunEstimate.expected(example(.body(takes: .seconds(2), after: .seconds(1)))) - plain - 3) < 0.001)
    #expect(RunEstimate.expected(example(endsAs: .timedOut).limited(to: .seconds(3))) >= 3)
    #expect(RunEstimate.expected(example().touched(after: 0.5, for: 1)) >= 1.5)
    #expect(RunEstimate.expected(example().stopped(after: 0.3, for: 3)) >= 3.3)
  }

  @Test func `examples that run beside one another take their share of the time`() throws {
    let beside = example(.body(takes: .seconds(4))).besideOthers()
    var estimate = RunEstimate([beside, beside, beside, example(.body(takes: .seconds(4)))], repetitions: 1, jobs: 2)
    estimate.ended(beside, after: 5)
    estimate.ended(beside, after: 5)
    #expect(abs(try #require(estimate.secondsLeft) - 7.5) < 0.001)
  }

  @Test func `all that run now are told, each with its repetition`() {
    let lesson = Lesson(number: 99, slug: "x", title: "", minutes: 1, examples: [], claims: [])
    let progress = RunEstimate([example()], repetitions: 2).progress(lesson, [(example(), 1), (example(), 2)], of: 2)
    #expect(progress.examples == ["connection/x (1/2)", "connection/x (2/2)"])
  }

  @Test func `at the end nothing is left`() {
    var estimate = RunEstimate([example()], repetitions: 1)
    estimate.ended(example(), after: 5)
    #expect(estimate.secondsLeft == 0)
  }
}
