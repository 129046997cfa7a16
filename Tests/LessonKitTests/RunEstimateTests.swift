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

  @Test func `at the end nothing is left`() {
    var estimate = RunEstimate([example()], repetitions: 1)
    estimate.ended(example(), after: 5)
    #expect(estimate.secondsLeft == 0)
  }
}
