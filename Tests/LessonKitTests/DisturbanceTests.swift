// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LessonKit

@Suite struct DisturbanceTests {
  private static let late = Disturbance(latest: 0.05)
  private static let shared = Disturbance(others: 0.8)

  /// A run of `connection/slow`, which took 90 ms.
  private func results(_ disturbance: Disturbance) -> RunResults {
    var run = ExampleRun(
      result: ExampleResult(
        id: "connection/slow", side: .connection, outcome: Outcome(kind: .finished, why: "")))
    run.disturbance = disturbance
    run.result.time.wall = 0.09
    return RunResults(bodyBytes: 1, runs: [run])
  }

  /// The claim that the example takes less than 50 ms and makes no request, unless `requests` says otherwise.
  private func claim(_ verdict: Verdict = .confirmed, requests: Int = 0) -> Claim {
    Claim("N1-05", verdict, needs: ["connection/slow"]) { results, findings in
      let wall = try results.first("connection/slow").result.time.wall
      findings.note("ended after \(TimeShown("90 ms"))", "under 50 ms", wall < 0.05)
      findings.note(.count(requests, "request"), "0", requests == 0)
    }
  }

  private func verdict(_ claim: Claim, _ disturbance: Disturbance) -> Verdict {
    ClaimResult(claim, settledFrom: results(disturbance)).verdict
  }

  @Test(arguments: [late, shared]) func `a time that was measured on a busy machine settles nothing`(
    _ busy: Disturbance
  ) {
    #expect(verdict(claim(), busy) == .unsettled)
    #expect(verdict(claim(.refuted), busy) == .unsettled)
    let result = ClaimResult(claim(), settledFrom: results(busy))
    #expect(result.findings.map { $0.holds } == [false, true])
    #expect(result.explanation.description.hasPrefix("The machine was busy: "))
  }

  @Test(arguments: [Disturbance(), Disturbance(others: 0.2, latest: 0.019)])
  func `on a quiet machine it refutes`(_ quiet: Disturbance) {
    #expect(verdict(claim(), quiet) == .refuted)
    #expect(verdict(claim(.refuted), quiet) == .confirmed)
  }

  @Test func `a point that is no time refutes on a busy machine, too`() {
    #expect(verdict(claim(requests: 1), Self.late) == .refuted)
  }

  @Test func `a claim whose points hold is confirmed on a busy machine`() {
    let claim = Claim("N1-05", needs: ["connection/slow"]) { _, findings in
      findings.note("after \(TimeShown("9 ms"))", "under 50 ms", true)
    }
    #expect(verdict(claim, Self.late) == .confirmed)
  }

  @Test func `the disturbance of another example does not count`() {
    var claim = claim()
    claim.needs = []
    #expect(verdict(claim, Self.late) == .refuted)
  }

  @Test func `a phrase knows of a time within it, also within a phrase of it`() {
    let time: Phrase = "after \(TimeShown("2 s"))"
    #expect(time.showsTime && time.description == "after 2 s")
    let others: [Phrase] = ["it ended \(time)", [Phrase("a"), time].joined(), "a" + time]
    #expect(others.allSatisfy { $0.showsTime })
    let verbatim: Phrase = "after \("2 s")"
    #expect(!verbatim.showsTime && verbatim == time)
  }

  @Test func `the meter takes the example's own use off what all use`() {
    let meter = DisturbanceMeter(server: 0)
    let used = [-1000.0, 1000].map { meter.disturbance(of: ProcessUsage(cpu: $0), latest: 0.001) }
    #expect(used == [Disturbance(others: 1, latest: 0.001), Disturbance(others: 0, latest: 0.001)])
  }
}
